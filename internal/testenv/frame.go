package testenv

import (
	"fmt"

	"google.golang.org/grpc/mem"
)

// frame is a message that nobody has decoded.
type frame struct{ bytes []byte }

// rawCodec hands messages on as they are.
type rawCodec struct{}

// Name is what the wire calls the messages' format: they are protobuf to both ends.
func (rawCodec) Name() string { return "proto" }

// Marshal implements encoding.CodecV2.
func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	f, ok := v.(*frame)
	if !ok {
		return nil, fmt.Errorf("the gRPC proxy sends frames, not %T", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(f.bytes)}, nil
}

// Unmarshal implements encoding.CodecV2.
func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	f, ok := v.(*frame)
	if !ok {
		return fmt.Errorf("the gRPC proxy receives frames, not %T", v)
	}
	f.bytes = data.Materialize()
	return nil
}
