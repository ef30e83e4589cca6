package page

// Rename gives racks and boxes other names.
func Rename(d *Data, name func(i int) string) {
	d.Racks.Names = texts(d.Racks.Count, name)
	d.Boxes.Names = texts(d.Boxes.Count, name)
}
