package provider

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"os"
	"syscall"
)

// transportFailure makes the outcome of an exchange whose answer did not arrive
// whole. The codes are our own words; the transport's error text may hold URLs
// and is not used.
func transportFailure(x Exchange, g Guard) Outcome {
	out := outcomeOf(x, g)
	out.ErrType = "transport"
	out.Class, out.ErrCode = classOfFailure(x.Failure)
	return out
}

func classOfFailure(err error) (Class, string) {
	var (
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
		dns         *net.DNSError
		network     net.Error
	)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return Timeout, "deadline"
	case errors.As(err, &certificate):
		return BadRequest, "tls_certificate"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return BadRequest, "not_tls"
	case errors.Is(err, errUnsendable):
		return BadRequest, "unsendable_header"
	case errors.As(err, &dns) && dns.IsNotFound:
		return ConnectionReset, "host_not_found"
	case errors.Is(err, syscall.ECONNREFUSED):
		return ConnectionReset, "connection_refused"
	case errors.As(err, &network) && network.Timeout():
		return Timeout, "network_timeout"
	}
	return ConnectionReset, "connection_broken"
}
