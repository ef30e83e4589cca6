package main

func Example() {
	main()
	// Output:
	// 6 of generic-switch-64x400g: 26,000.00 each by estimate-2025, 24,500.00 by quote.csv
	// 198,490.00 USD, with the quote 189,490.00
}
