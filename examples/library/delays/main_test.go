package main

func Example() {
	main()
	// Output:
	// clex at 10 ns a hop: 71.8 ns on average, 134.6 ns at most
	// clex at 100 ns a hop: 437.7 ns on average, 674.6 ns at most
	// clex at 500 ns a hop: 2063.9 ns on average, 3074.6 ns at most
	// torus at 10 ns a hop: 74.5 ns on average, 138.8 ns at most
	// torus at 100 ns a hop: 438.8 ns on average, 768.8 ns at most
	// torus at 500 ns a hop: 2057.8 ns on average, 3568.8 ns at most
	// equal at alpha/beta = 32.5 m
}
