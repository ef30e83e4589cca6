package csvtable

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/plenum-planner/plenum/internal/lazyregexp"
)

// MarkWords says which words Mark takes.
const MarkWords = "expected yes, x, ok, done or a date; or no, not yet, todo, n/a, open, - or nothing"

// MarkChoices are the words that a form offers for Mark: done, and not done.
var MarkChoices = []string{"yes", "no"}

// yesWords and noWords are what people write of something that is done or not, in the languages of the field, with the
// truth values of spreadsheets in these languages.
var (
	yesWords = words(`x xx xxx ✓ ✔ ☑ ✅ 🗸 √ 👍 [x] [✓] (x) 1 1.0 100% 100_% y yes yep yeah t true ok okay done
		finished complete completed laid installed plugged connected cabled patched checked verified tested pass passed
		there present good right correct active up in_service j ja jawohl wahr fertig erledigt erl. gemacht verlegt
		gelegt gesteckt eingesteckt angeschlossen verbunden vorhanden geprüft getestet abgeschlossen o.k. i.o. io
		oui vrai fait faite fini
		finie terminé terminée posé posée branché branchée sí si sì sim verdadero verdadeiro vero hecho hecha
		listo lista completado completada instalado instalada conectado conectada feito feita pronto pronta
		concluído concluída fatto fatta finito completato collegato waar gedaan klaar gelegd gereed
		aangesloten sant sand klar klart gjort färdig færdig ferdig lagd kopplad kyllä tosi valmis tehty tak
		prawda gotowe zrobione ano pravda hotovo igen igaz kész evet doğru tamam да истина готово сделано はい 済
		済み 完了 是 对 真 已完成 完成 好 예 네 완료`)
	noWords = words(`- -- --- – — / [] [_] () (_) 0 0.0 0% 0_% n no none never nope f false not todo tbd tba na n.a.
		n/a n/d open pending planned missing absent later undone unfinished incomplete started waiting blocked
		failed fail broken defective wip nok ko rejected unplugged disconnected removed decommissioned
		decommissioning retired cancelled canceled on_hold paused deferred postponed partial partially scheduled
		ordered backordered delivered received staged shipped nein nicht noch falsch offen fehlt ausstehend
		geplant unerledigt teilweise kaputt defekt nio n.i.o. bestellt zurückgestellt später
		k.a. non faux pas manque manquant nc à_faire a_faire en_attente falso pendiente falta faltando
		pendente não nao ainda_não da_fare mancante manca nee niet onwaar ontbreekt nej falskt falsk saknas
		mangler nei ei epätosi puuttuu nie fałsz brak ne nepravda chybí nem hamis hayır yanlış yok нет ложь
		いいえ 未 未完了 未済 否 不 不是 没有 未完成 아니오 아니요 미완료 ✗ ✘ ✕ ✖ ❌ ☐ □ ⬜ 👎 to_do to_be_done in_progress
		in_work in_arbeit zu_tun en_cours por_hacer aún_no todavía_no ancora_no non_ancora nog_niet ikke_endnu
		inte_än ei_vielä jeszcze_nie ještě_ne még_nem henüz_değil ещё_нет`)
	// negations make the opposite of a word that follows.
	negations = words(`not no nicht noch non pas niet nog inte ikke ej ei nie nem ne no não nao aún todavía ancora`)
	fillers   = words(`yet so far noch encore nog bisher endnu än`)
)

func words(text string) map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(text) {
		all[strings.ReplaceAll(word, "_", " ")] = true
	}
	return all
}

// Mark reads what people write of something that is done or not: a word such as yes, x, ok, fertig or no, not yet,
// todo, nein; a date or time, also as the number that spreadsheets have for it, means yes, and an empty text no. Ok is
// false for any other text.
func Mark(text string) (is, ok bool) {
	text = strings.ToLower(strings.TrimSpace(strings.ReplaceAll(text, "\ufe0f", ""))) // that of emoji
	if text == "" || noWords[text] {
		return false, true
	}
	if yesWords[text] {
		return true, true
	}
	parts := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) ||
			strings.ContainsRune("_,;!()[]", r)
	})
	if len(parts) == 1 && !isTime(parts[0]) {
		parts = strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("-_!. ", r) })
	}
	if len(parts) == 0 {
		return false, false
	}
	if phrase := strings.Join(parts, " "); noWords[phrase] || yesWords[phrase] {
		return yesWords[phrase], true
	}
	if negations[parts[0]] && !slices.ContainsFunc(parts[1:], func(p string) bool {
		return !negations[p] && !fillers[p] && !yesWords[p]
	}) {
		return false, true
	}
	yes := 0
	for i, p := range parts {
		switch {
		case yesWords[p] && !isDigits(p):
			yes++
		case isTime(p), isMonth(p), isDigits(strings.Trim(p, ".")) && (i > 0 && isMonth(parts[i-1]) ||
			i+1 < len(parts) && isMonth(parts[i+1]) || i > 1 && isMonth(parts[i-2])):
			yes++
		}
	}
	all := yes == len(parts) && !(yes == 1 && isMonth(parts[0]))
	return all, all
}

// doneHeads are names of columns that say of each row whether it is done, in the languages of the field.
var doneHeads = words(`done laid installed complete completed finished connected cabled plugged patched status state
	progress erledigt fertig verlegt gelegt gesteckt angeschlossen verbunden stand zustand fait posé pose branché
	branche terminé termine installé installe connecté connecte état etat statut hecho instalado conectado listo
	completado estado feito concluído concluido fatto posato collegato completato stato gedaan gelegd aangesloten
	klaar`)

// doneFillers are words beside these in the name of a column.
var doneFillers = words(`is cable cables cabling installation install link kabel câble x y n yes no j ja nein oui
	non sí si`)

// DoneColumns are the columns of a table that say of each row whether it is done: the one called done; else all
// whose names mean as much, such as Status, Laid? or Erledigt (x).
func DoneColumns(heads []string) []int {
	if at := slices.Index(heads, "done"); at >= 0 {
		return []int{at}
	}
	var out []int
	for i, head := range heads {
		parts := strings.Split(head, "_")
		if slices.ContainsFunc(parts, func(p string) bool { return doneHeads[p] }) &&
			!slices.ContainsFunc(parts, func(p string) bool { return !doneHeads[p] && !doneFillers[p] }) {
			out = append(out, i)
		}
	}
	return out
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// clock is a date in digits, or a time of day.
var clock = lazyregexp.New(`^(\d{4}-\d\d?-\d\d?(t[\d:.+z-]+)?|\d{1,4}[./-]\d\d?[./-](\d{2,4})?|` +
	`\d\d?:\d\d(:\d\d(\.\d+)?)?(am|pm|h|z)?|am|pm|uhr|utc|\d{4}年\d\d?月\d\d?日)$`)

// isTime reports whether a word is a date or a time of day, also as the number of a day in spreadsheets.
func isTime(text string) bool {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return firstDay <= n && n < lastDay
	}
	if clock.MatchString(text) {
		return true
	}
	_, _, _, dated := dayMonth(text)
	return dated
}

// Numbers of the days in spreadsheets, from 2000 on: no port and no count is as large.
const (
	firstDay = 36526
	lastDay  = 73051
)

// months are the names of months by their first letters, in the languages of the field.
var months = func() map[string]int {
	out := map[string]int{}
	for _, line := range []string{
		"jan feb mar apr may jun jul aug sep oct nov dec",
		"january february march april may june july august september october november december",
		"jän feb mrz apr mai juni juli aug sept okt nov dez", "jan febr märz apr mai jun jul aug sept okt nov dez",
		"janv févr mars avr mai juin juil août sept oct nov déc", "ene feb mar abr may jun jul ago sep oct nov dic",
		"gen feb mar apr mag giu lug ago set ott nov dic", "jan feb mrt apr mei jun jul aug sep okt nov dec",
		"jan fev mar abr mai jun jul ago set out nov dez", "jan feb mars apr maj juni juli aug sep okt nov dec",
		"sty lut mar kwi maj cze lip sie wrz paź lis gru",
	} {
		for i, name := range strings.Fields(line) {
			out[name] = i + 1
		}
	}
	return out
}()

// portWords are months by which ports are called as well, as out-1.
var portWords = words("out set mag lug gen ago sty lis mar")

func isMonth(text string) bool { return months[strings.Trim(text, ".")] > 0 }

// dated are dates as spreadsheets show them: 01-Jan, 1. Jan, Jan-01, 1-Jan-24.
var dated = lazyregexp.New(`^(?:` +
	`(\d{1,2})(?:[-/ .]|[.] )(\pL{3,9})[.]?(?:[-/ ](\d{4}|\d\d))?|` +
	`(\pL{3,9})[.]?[-/ .](\d{1,2}))$`)

// inFull are dates in digits, with a year of four digits, and a time of day or without.
var inFull = lazyregexp.New(`^(?:(\d{4})[-/.](\d\d?)[-/.](\d\d?)|(\d\d?)[-/.](\d\d?)[-/.](\d{4}))` +
	`(?:[ t]0?0:00(?::00(?:\.0+)?)?)?$`)

// dayMonth reads a date: the first and the second of the numbers that a spreadsheet may have made it of. Order is false
// where these may be exchanged.
func dayMonth(text string) (first, second int, order, ok bool) {
	text = strings.ToLower(text)
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	day, month := 0, 0
	switch m := dated.FindStringSubmatch(text); {
	case m != nil && m[1] != "":
		day, month = number(m[1]), months[m[2]]
	case m != nil: // the month before the day, or before a year
		month = months[m[4]]
		return month, number(m[5]), true, month > 0 && !portWords[m[4]]
	default:
		f := inFull.FindStringSubmatch(text)
		if f == nil {
			return 0, 0, false, false
		}
		if day, month = number(f[3]), number(f[2]); f[1] == "" {
			day, month = number(f[4]), number(f[5])
		}
		if day == 0 || month == 0 || day > 12 && month > 12 || day > 31 || month > 31 {
			return 0, 0, false, false
		}
	}
	return month, day, month == day, month > 0 && day > 0 && day <= 31
}

// NumbersOfDate returns the two numbers from which a spreadsheet made a date, such as 1/1 from 01-Jan,
// in the order in which they were typed if order is true, else in one of both. The number of a day, as 45292, is a date
// as well.
func NumbersOfDate(text string) (first, second int, order, ok bool) {
	text = strings.TrimSpace(text)
	if n, err := strconv.Atoi(text); err == nil {
		if n < firstDay || n >= lastDay {
			return 0, 0, false, false
		}
		at := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n)
		return int(at.Month()), at.Day(), int(at.Month()) == at.Day(), true
	}
	return dayMonth(text)
}
