package history

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
)

// ArchiveCodec names how Pack writes a history: Temporal's History message in
// protobuf's binary form, compressed with zstd.
const ArchiveCodec = "temporal-history+zstd"

// packWindow is how far back the compression looks.
const packWindow = 256 << 10

// maxUnpacked bounds what Unpack makes of an archived history. Temporal ends a
// history at 50 MiB.
const maxUnpacked = 256 << 20

// Packer compresses whole histories for the archive. One is used for many, because
// making the encoder takes longer than all it does: most histories are a few
// kilobytes. It may be used side by side.
type Packer struct{ encoder func() (*zstd.Encoder, error) }

// NewPacker returns a packer that makes its encoder on first use.
func NewPacker() *Packer {
	return &Packer{encoder: sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(packWindow), zstd.WithLowerEncoderMem(true))
	})}
}

// Pack compresses one history. Payloads stay as they stand in Temporal, so what is
// encrypted there is encrypted here.
func (p *Packer) Pack(events []*historypb.HistoryEvent) ([]byte, error) {
	raw, err := proto.Marshal(&historypb.History{Events: events})
	if err != nil {
		return nil, fmt.Errorf("encode a history: %w", err)
	}
	encoder, err := p.encoder()
	if err != nil {
		return nil, fmt.Errorf("compress a history: %w", err)
	}
	return encoder.EncodeAll(raw, nil), nil
}

// Unpack reads what Pack wrote.
func Unpack(codec string, packed []byte) ([]*historypb.HistoryEvent, error) {
	if codec != ArchiveCodec {
		return nil, fmt.Errorf("an archived history is written as %q, which this tutti does not read", codec)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked))
	if err != nil {
		return nil, fmt.Errorf("decompress a history: %w", err)
	}
	defer decoder.Close()
	raw, err := decoder.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("decompress a history: %w", err)
	}
	var h historypb.History
	if err := proto.Unmarshal(raw, &h); err != nil {
		return nil, fmt.Errorf("decode a history: %w", err)
	}
	return h.GetEvents(), nil
}

// HasClosed says that a history is whole: nothing comes after its last event.
func HasClosed(events []*historypb.HistoryEvent) bool {
	if len(events) == 0 {
		return false
	}
	switch events[len(events)-1].GetEventType() {
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT:
		return true
	default:
		return false
	}
}

// MemoOf is the memo that a run was started with.
func MemoOf(events []*historypb.HistoryEvent) *commonpb.Memo {
	if len(events) == 0 {
		return nil
	}
	return events[0].GetWorkflowExecutionStartedEventAttributes().GetMemo()
}

// RequestDigest is the digest of what the user gave, as a run's memo has it; empty
// for a run that was started by hand.
func RequestDigest(memo *commonpb.Memo) (string, error) {
	payload := memo.GetFields()[MemoRequestSHA256]
	if payload == nil {
		return "", nil
	}
	var digest string
	if err := converter.GetDefaultDataConverter().FromPayload(payload, &digest); err != nil {
		return "", fmt.Errorf("read the memo: %w", err)
	}
	return digest, nil
}
