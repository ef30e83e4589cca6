package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A file is one of an archive.
type file struct {
	name       string // in the archive
	path       string
	executable bool
}

func (f file) mode() os.FileMode {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// then is when all files of an archive were changed: the earliest that a ZIP archive can say.
var then = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// tarGz packs files below a directory, without owners and times of this machine.
func tarGz(path, dir string, files []file) (err error) {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	z, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		data, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		err = t.WriteHeader(&tar.Header{
			Format: tar.FormatUSTAR, Typeflag: tar.TypeReg, Name: dir + "/" + f.name,
			Size: int64(len(data)), Mode: int64(f.mode()), ModTime: then,
		})
		if err != nil {
			return err
		}
		if _, err := t.Write(data); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

// writeZIP packs files likewise as ZIP.
func writeZIP(path, dir string, files []file) (err error) {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	z := zip.NewWriter(out)
	for _, f := range files {
		data, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: dir + "/" + f.name, Method: zip.Deflate, Modified: then}
		h.SetMode(f.mode())
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

// sums writes SHA256SUMS of the files in a directory, as sha256sum -c reads it.
func sums(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range entries {
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		h := sha256.New()
		_, err = io.Copy(h, f)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", h.Sum(nil), e.Name())
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(b.String()), 0o666)
}
