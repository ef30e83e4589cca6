module plenum

go 1.26.8
