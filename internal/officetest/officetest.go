// Package officetest has tests open workbooks in LibreOffice. They skip themselves where it is not installed, unless
// PLENUM_REQUIRE_TOOLS is 1.
package officetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Sheets is the format of Convert that writes each sheet of a workbook to a CSV file of its own, NAME-SHEET.csv, with
// the values as they are kept and not as they are shown.
const Sheets = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"

// Convert has LibreOffice write files in a format (xlsx, Sheets) to a directory.
func Convert(t *testing.T, format, dir string, files ...string) {
	t.Helper()
	soffice, err := exec.LookPath("soffice")
	if err != nil {
		if os.Getenv("PLENUM_REQUIRE_TOOLS") == "1" {
			t.Fatal("soffice is not installed")
		}
		t.Skip("soffice (LibreOffice) is not installed")
	}
	args := append([]string{
		"-env:UserInstallation=file://" + filepath.Join(t.TempDir(), "profile"), "--headless",
		"--convert-to", format, "--outdir", dir,
	}, files...)
	if out, err := exec.Command(soffice, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
