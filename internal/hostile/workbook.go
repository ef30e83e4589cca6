package hostile

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
)

// Workbook is a workbook for Excel whose sheets have the names given and the rows given as XML, such as
// `<row r="1"><c r="A1" t="inlineStr"><is><t>part</t></is></c></row>`, which nobody checks.
func Workbook(sheets ...[2]string) []byte {
	const (
		main     = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
		office   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
		packages = "http://schemas.openxmlformats.org/package/2006"
		kind     = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	)
	var types, listed, related strings.Builder
	files := [][2]string{{
		"_rels/.rels",
		`<Relationships xmlns="` + packages + `/relationships"><Relationship Id="r" Type="` + office +
			`/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
	}}
	for i, s := range sheets {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`,
			i+1, kind)
		fmt.Fprintf(&listed, `<sheet name="%s" sheetId="%d" r:id="r%d"/>`, s[0], i+1, i+1)
		fmt.Fprintf(&related, `<Relationship Id="r%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`,
			i+1, office, i+1)
		files = append(files, [2]string{
			fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1),
			`<worksheet xmlns="` + main + `"><sheetData>` + s[1] + `</sheetData></worksheet>`,
		})
	}
	files = append(files,
		[2]string{"[Content_Types].xml", `<Types xmlns="` + packages + `/content-types"><Default Extension="rels" ` +
			`ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override ` +
			`PartName="/xl/workbook.xml" ContentType="` + kind + `sheet.main+xml"/>` + types.String() + `</Types>`},
		[2]string{"xl/workbook.xml", `<workbook xmlns="` + main + `" xmlns:r="` + office + `"><sheets>` +
			listed.String() + `</sheets></workbook>`},
		[2]string{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packages + `/relationships">` +
			related.String() + `</Relationships>`})
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		w, err := z.Create(f[0])
		if err == nil {
			_, err = w.Write([]byte(f[1]))
		}
		if err != nil {
			panic(err) // a buffer takes everything
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// Row is a row of text for Workbook.
func Row(number string, cells ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<row r="%s">`, number)
	for i, c := range cells {
		fmt.Fprintf(&b, `<c r="%c%s" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+i, number, c)
	}
	b.WriteString("</row>")
	return b.String()
}
