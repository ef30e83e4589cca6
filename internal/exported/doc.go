// Package exported tests what the module exports: that every exported function of a public package takes zero values or
// refuses them, and that programs outside of the module can name all types of exported signatures.
package exported
