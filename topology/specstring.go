package topology

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// String writes s as the topology section of a machine file in one line:
// {family: torus, dims: [8, 8]}. Parameters that are left out are not written.
func (s Spec) String() string {
	v := reflect.ValueOf(s)
	var parts []string
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			continue
		}
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		value := v.Field(i).Interface()
		if ints, ok := value.(Ints); ok {
			value = strings.ReplaceAll(fmt.Sprint([]int(ints)), " ", ", ")
		}
		if name == "path" { // the other words need no quotes
			value = strconv.Quote(s.Path)
		}
		parts = append(parts, fmt.Sprintf("%s: %v", name, value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
