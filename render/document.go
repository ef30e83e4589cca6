package render

import (
	"context"
	"encoding"
	"encoding/json"
	"io"
	"reflect"
	"strings"

	"github.com/plenum-planner/plenum/internal/provenance"
)

// Document writes a value as indented JSON, an object with its provenance as the last key. A list without entries is
// [], so that null always stands for a figure that is not known.
func Document(ctx context.Context, w io.Writer, v any) error {
	lists{}.fill(reflect.ValueOf(&v).Elem())
	e := json.NewEncoder(provenance.JSON(ctx, w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// lists tells which types may hold lists.
type lists map[reflect.Type]bool

var (
	asJSON = reflect.TypeFor[json.Marshaler]()
	asText = reflect.TypeFor[encoding.TextMarshaler]()
)

func (l lists) in(t reflect.Type) bool {
	if in, ok := l[t]; ok {
		return in
	}
	l[t] = true // of what refers to itself
	l[t] = l.search(t)
	return l[t]
}

func (l lists) search(t reflect.Type) bool {
	if p := reflect.PointerTo(t); p.Implements(asJSON) || p.Implements(asText) {
		return false // writes itself
	}
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Uint8 // which are written as a string
	case reflect.Pointer, reflect.Map, reflect.Array:
		return l.in(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if l.in(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// fill puts empty lists for those that are nil. V belongs to the caller; what it
// refers to is copied where it may hold lists.
func (l lists) fill(v reflect.Value) {
	if !l.in(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f, field := v.Field(i), v.Type().Field(i)
			if f.IsZero() && strings.Contains(field.Tag.Get("json"), ",omitzero") {
				continue
			}
			if f.CanSet() || field.Anonymous && f.Kind() == reflect.Struct {
				l.fill(f)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			l.fill(v.Index(i))
		}
	case reflect.Slice:
		if !v.IsNil() && !l.in(v.Type().Elem()) {
			return
		}
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		for i := range own.Len() {
			l.fill(own.Index(i))
		}
		v.Set(own)
	case reflect.Map:
		if v.IsNil() {
			return
		}
		own := reflect.MakeMapWithSize(v.Type(), v.Len())
		for entries := v.MapRange(); entries.Next(); {
			own.SetMapIndex(entries.Key(), l.filled(entries.Value()))
		}
		v.Set(own)
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(l.filled(v.Elem()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			v.Set(l.filled(v.Elem()).Addr())
		}
	}
}

// filled is a copy of v with its lists filled.
func (l lists) filled(v reflect.Value) reflect.Value {
	own := reflect.New(v.Type()).Elem()
	own.Set(v)
	l.fill(own)
	return own
}
