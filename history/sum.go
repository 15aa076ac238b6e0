package history

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
)

// A sum is a whole number of [0, 2^128): what no number of runs can overflow.
type sum struct{ high, low uint64 }

// add adds v, at least 0, n times.
func (s *sum) add(v, n int64) {
	high, low := bits.Mul64(uint64(v), uint64(n))
	s.plus(sum{high, low})
}

func (s *sum) plus(o sum) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, o.low, 0)
	s.high += o.high + carry
}

// float is the sum to within the precision of a float64.
func (s sum) float() float64 { return float64(float64(s.high)*(1<<64)) + float64(s.low) }

// append appends the sum in decimal digits, in full.
func (s sum) append(to []byte) []byte {
	if s.high == 0 {
		return strconv.AppendUint(to, s.low, 10)
	}
	return s.big().Append(to, 10)
}

func (s sum) big() *big.Int {
	b := new(big.Int).SetUint64(s.high)
	return b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(s.low))
}

// sumOf is a sum that was written in digits. It reports false if the number is no sum.
func sumOf(b *big.Int) (s sum, ok bool) {
	if b.Sign() < 0 || b.BitLen() > 128 {
		return s, false
	}
	low := new(big.Int).And(b, new(big.Int).SetUint64(^uint64(0)))
	return sum{new(big.Int).Rsh(b, 64).Uint64(), low.Uint64()}, true
}

// MarshalJSON writes the sum in full.
func (s sum) MarshalJSON() ([]byte, error) { return s.append(nil), nil }

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *sum) UnmarshalJSON(data []byte) error {
	b := new(big.Int)
	if err := json.Unmarshal(data, b); err != nil {
		return fmt.Errorf("sum: %w", err)
	}
	read, ok := sumOf(b)
	if !ok {
		return fmt.Errorf("sum %s: want a whole number from 0 to 2^128-1", data)
	}
	*s = read
	return nil
}
