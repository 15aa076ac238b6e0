package child

// A Word is what a child can be told at any time, stopped or not: it hears it when it runs. What it means is between the two.
type Word uint8

// The words.
const (
	Word1 Word = iota + 1
	Word2
)
