package main

func Example() {
	main()
	// Output:
	//  24 dac-400g-qsfp112@0.5 m     4,440.00
	//   8 dac-400g-qsfp112@1.5 m     1,880.00
	//   2 rack-42u                   3,600.00
	//  24 install-in-rack              180.00
	//   8 install-in-row               160.00
	// total 10,260.00 USD, nodes excluded
}
