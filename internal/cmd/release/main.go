// Command release builds the archives of a release without cgo, for every system: the program, licence, README, manual
// pages and completions, licences of all that went in, with a bill of the modules that went in (CycloneDX 1.6) beside
// each, and SHA256SUMS of all.
//
//	go run ./internal/cmd/release -o dist [-targets linux/amd64,windows/arm64] [-revision COMMIT]
//	go run ./internal/cmd/release -check [-targets linux/amd64]
//
// The same commit and release of Go give the same bytes, whoever builds it where: -check builds twice, the second time
// from a copy of the sources in another directory and with nothing kept from the first, and compares.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/machine"
)

const program = "plenum"

// targets are the systems that are built for.
const targets = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// A release is what is to be built.
type release struct {
	source   string // the directory of the sources
	to       string // the directory of the archives
	targets  []string
	revision string
	cache    string // of the go command, its own if empty
}

func main() {
	r := release{source: "."}
	flag.StringVar(&r.to, "o", "dist", "directory to write into; what is in it is replaced")
	list := flag.String("targets", targets, "systems to build for")
	flag.StringVar(&r.revision, "revision", "", "commit that the program names as its own")
	check := flag.Bool("check", false, "build twice and compare")
	flag.Parse()
	r.targets = strings.Split(*list, ",")
	var err error
	if *check {
		err = r.check()
	} else {
		err = r.build()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// check builds into two directories and compares their sums.
func (r release) check() error {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var sums [2]string
	for i := range sums {
		r.to = filepath.Join(dir, fmt.Sprint("dist", i))
		if i == 1 {
			r.cache = filepath.Join(dir, "cache")
			r.source = filepath.Join(dir, "elsewhere")
			if err := copySources(r.source); err != nil {
				return err
			}
		}
		if err := r.build(); err != nil {
			return err
		}
		data, err := os.ReadFile(filepath.Join(r.to, "SHA256SUMS"))
		if err != nil {
			return err
		}
		sums[i] = string(data)
	}
	if sums[0] != sums[1] {
		return fmt.Errorf("built twice it differs:\n%s\n%s", sums[0], sums[1])
	}
	fmt.Printf("built twice, the same sums:\n%s", sums[0])
	return nil
}

// copySources copies the files that are in the repository.
func copySources(to string) error {
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) { // deleted, and not yet committed
			continue
		}
		if err != nil {
			return err
		}
		path := filepath.Join(to, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, data, 0o666)); err != nil {
			return err
		}
	}
	return nil
}

// build makes all archives.
func (r release) build() error {
	if err := errors.Join(os.RemoveAll(r.to), os.MkdirAll(r.to, 0o777)); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	common, err := r.documents(work)
	if err != nil {
		return err
	}
	for _, target := range r.targets {
		goos, arch, ok := strings.Cut(target, "/")
		if !ok || !slices.Contains(strings.Split(targets, ","), target) {
			return fmt.Errorf("%q is not one of %s", target, targets)
		}
		binary := program
		if goos == "windows" {
			binary += ".exe"
		}
		path := filepath.Join(work, goos+"-"+arch, binary)
		if err := r.compile(goos, arch, path); err != nil {
			return err
		}
		stem := fmt.Sprintf("%s_%s_%s_%s", program, machine.Version, goos, arch)
		files := append(slices.Clone(common), file{name: binary, path: path, executable: true})
		slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
		pack, ending := tarGz, ".tar.gz"
		if goos == "windows" {
			pack, ending = writeZIP, ".zip"
		}
		if err := pack(filepath.Join(r.to, stem+ending), stem, files); err != nil {
			return err
		}
		if err := r.bill(path, filepath.Join(r.to, stem+".cdx.json"), goos, arch); err != nil {
			return err
		}
		fmt.Println(filepath.Join(r.to, stem+ending))
	}
	return sums(r.to)
}

// compile builds the program for a system.
func (r release) compile(goos, arch, to string) error {
	flags := "-s -w"
	if r.revision != "" {
		flags += " -X github.com/plenum-planner/plenum/internal/provenance.commit=" + r.revision
	}
	abs, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", abs, "./cmd/plenum")
	cmd.Dir = r.source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+arch, "GOFLAGS=-mod=readonly",
		"GOAMD64=v1", "GOARM64=v8.0")
	if r.cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+r.cache)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s/%s: go build: %w", goos, arch, err)
	}
	return nil
}

// documents are the files that all archives hold: written ones, and what the program writes about itself.
func (r release) documents(work string) ([]file, error) {
	var all []file
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		all = append(all, file{name: name, path: filepath.Join(r.source, name)})
	}
	self := filepath.Join(work, "self")
	if runtime.GOOS == "windows" {
		self += ".exe"
	}
	if err := r.compile(runtime.GOOS, runtime.GOARCH, self); err != nil {
		return nil, err
	}
	path, err := r.licences(self, work)
	if err != nil {
		return nil, err
	}
	all = append(all, file{name: filepath.Base(path), path: path})
	man := filepath.Join(work, "man")
	if out, err := exec.Command(self, "man", "-o", man).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("plenum man: %w: %s", err, out)
	}
	pages, err := os.ReadDir(man)
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		if filepath.Ext(p.Name()) == ".1" {
			all = append(all, file{name: "man/" + p.Name(), path: filepath.Join(man, p.Name())})
		}
	}
	for shell, name := range map[string]string{
		"bash": "plenum.bash", "zsh": "_plenum", "fish": "plenum.fish", "powershell": "plenum.ps1",
	} {
		text, err := exec.Command(self, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("plenum completion %s: %w", shell, err)
		}
		path := filepath.Join(work, name)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return nil, err
		}
		all = append(all, file{name: "completions/" + name, path: path})
	}
	return all, nil
}
