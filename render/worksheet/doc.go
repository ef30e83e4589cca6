// Package worksheet sets tables on sheets of A4 as PDF, for people who work by them: head lines on every page, rows of
// several lines that stay together, boxes to tick. It does not know what the tables say.
package worksheet
