package tiny

import "testing"

func TestTiny(t *testing.T) {
	if Far(Link{1, 2}) != 5 || Metres(3) != 3 || Sum([]int{1, 2}) != 3 {
		t.Fail()
	}
}
