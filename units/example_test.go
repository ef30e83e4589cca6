package units_test

import (
	"fmt"

	"github.com/plenum-planner/plenum/units"
)

// Quantities are read with their unit and kept in the basic one; what cannot be meant is an error.
func Example() {
	for _, text := range []string{"2.5 m", "7 ft", "42U", "90 inches"} {
		length, err := units.ParseLength(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s is %.4f m\n", text, float64(length))
	}
	price := units.MoneyOf(1299.99)
	fmt.Println(3*price, "for three")
	// Output:
	// 2.5 m is 2.5000 m
	// 7 ft is 2.1336 m
	// 42U is 1.8669 m
	// "90 inches" is not a length (a number and one of mm, cm, km, m, in, ft, U)
	// 3,899.97 for three
}
