package growth

// Rounds puts links in rounds, from 0, so that in no round more than most[v] links of vertex v are out of service; each
// of most is at least 1. Least is a lower bound on the rounds: that of the vertex with the most links for what it can
// do without. In a bipartite graph there are no more rounds than that.
//
// A vertex becomes as many vertices as it takes to give none more links than the bound; rounds are then the colours of
// an edge colouring. Links are coloured one after the other, chains of two colours being exchanged where both ends lack
// a common one (D. König, Mathematische Annalen 77, 1916); where that fails, as it may on an odd cycle, the link takes
// a colour beyond. There are always less than twice as many rounds as the bound says.
func Rounds(most []int, links [][2]int32) (round []int32, least int) {
	degree := make([]int, len(most))
	for _, l := range links {
		degree[l[0]]++
		degree[l[1]]++
	}
	for v, n := range degree {
		least = max(least, (n+most[v]-1)/most[v])
	}
	c := &colouring{rounds: least, colour: make([]int32, len(links)), ends: make([][2]int32, len(links))}
	first, seen := make([]int32, len(most)), make([]int, len(most))
	copies := int32(0)
	for v, n := range degree {
		first[v] = copies
		if n > 0 {
			copies += int32((n + least - 1) / least)
		}
	}
	c.at = make([][]int32, copies)
	for v := range c.at {
		c.at[v] = make([]int32, least)
	}
	for i, l := range links {
		for side, v := range l {
			c.ends[i][side] = first[v] + int32(seen[v]/least)
			seen[v]++
		}
		c.add(int32(i))
	}
	return c.colour, least
}

// colouring is an edge colouring in the making.
type colouring struct {
	rounds int
	colour []int32
	ends   [][2]int32
	at     [][]int32 // by vertex and colour: the link of it, from 1; 0 for none
}

// free lists the colours that no link of a vertex has.
func (c *colouring) free(v int32) []int32 {
	var out []int32
	for k, link := range c.at[v] {
		if link == 0 {
			out = append(out, int32(k))
		}
	}
	return out
}

// add gives the next link a colour.
func (c *colouring) add(link int32) {
	x, y := c.ends[link][0], c.ends[link][1]
	if x == y { // both of its ends take a place in the round
		c.paint(link, c.beyond(x, y))
		return
	}
	atX, atY := c.free(x), c.free(y)
	for _, k := range atX {
		if c.at[y][k] == 0 {
			c.paint(link, k)
			return
		}
	}
	for _, a := range atX {
		for _, b := range atY {
			if c.exchange(y, x, a, b) {
				c.paint(link, a)
				return
			}
		}
	}
	c.paint(link, c.beyond(x, y))
}

// exchange exchanges two colours on the chain of links that begins at a vertex, which lacks the second; it reports
// false and does nothing where the chain leads to the other vertex.
func (c *colouring) exchange(from, to, a, b int32) bool {
	var chain []int32
	for v, k := from, a; c.at[v][k] != 0; k = a + b - k {
		link := c.at[v][k] - 1
		chain = append(chain, link)
		v = c.ends[link][0] + c.ends[link][1] - v
		if v == to {
			return false
		}
	}
	for _, link := range chain {
		for _, v := range c.ends[link] {
			c.at[v][c.colour[link]] = 0
		}
	}
	for _, link := range chain {
		c.paint(link, a+b-c.colour[link])
	}
	return true
}

func (c *colouring) paint(link, k int32) {
	c.colour[link] = k
	for _, v := range c.ends[link] {
		c.at[v][k] = link + 1
	}
}

// beyond returns a colour that two vertices lack, a new one if need be.
func (c *colouring) beyond(x, y int32) int32 {
	for k := range c.rounds {
		if c.at[x][k] == 0 && c.at[y][k] == 0 {
			return int32(k)
		}
	}
	c.rounds++
	for v := range c.at {
		c.at[v] = append(c.at[v], 0)
	}
	return int32(c.rounds - 1)
}
