package choice

// normal99 is the 99th percentile of the standard normal law.
const normal99 = 2.3263478740408408

// longestDraw bounds the draws of a law whose parameters are beyond all use, in ns: 146 years.
const longestDraw = 1 << 62

// sigma is the standard deviation of the logarithm of a lognormal law's draws: ln(p99/median) by the 99th percentile of
// the standard normal law.
func (l *Law) sigma() float64 {
	return max(0, negativeLog(uint64(l.A))-negativeLog(uint64(l.B))) / normal99
}

// lognormal is the lognormal law's quantile at u/2^64, median e^(sigma z), where z is that of the standard normal law.
// It is right to 1e-10 of itself.
func (l *Law) lognormal(u uint64) int64 { return l.timesMedian(exp(float64(l.sigma() * normal(u)))) }

// lognormalMean is median e^(sigma^2/2).
func (l *Law) lognormalMean() int64 {
	sigma := l.sigma()
	return l.timesMedian(exp(float64(sigma*sigma) / 2))
}

func (l *Law) timesMedian(factor float64) int64 {
	return int64(min(float64(float64(l.A)*factor)+0.5, longestDraw))
}
