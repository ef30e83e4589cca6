module plenum

go 1.26.8

require (
	github.com/google/go-cmp v0.7.0
	go.yaml.in/yaml/v4 v4.0.0
	pgregory.net/rapid v1.3.0
)
