package openai

import (
	"strings"

	"github.com/tutti-dev/tutti/internal/provider"
)

// readStream assembles an answer that came as a stream although none was asked
// for. It is an answer only if the stream came to its end: a finish reason or the
// end marker.
func readStream(body provider.Body) (provider.Reading, bool) {
	var (
		reading        provider.Reading
		text, thoughts strings.Builder
		chunks         int
	)
	for _, event := range body.Values {
		choices := event.Get("choices").Items()
		if usage := event.Get("usage"); usage.IsObject() {
			reading.Usage = readUsage(usage)
		}
		if model := event.Get("model").Text(); model != "" {
			reading.Model = model
		}
		reading.Filtered = reading.Filtered || promptFiltered(event)
		if len(choices) == 0 {
			continue
		}
		var part provider.Reading
		readChoice(&part, choices[0])
		text.WriteString(part.Text)
		thoughts.WriteString(part.Reasoning)
		join(&reading, part)
		chunks++
	}
	reading.Text, reading.Reasoning = text.String(), thoughts.String()
	return reading, chunks > 0 && (reading.Finish != "" || body.Done)
}

func join(whole *provider.Reading, part provider.Reading) {
	whole.Reasoned = whole.Reasoned || part.Reasoned
	whole.Refused = whole.Refused || part.Refused
	whole.Filtered = whole.Filtered || part.Filtered
	whole.WantsTool = whole.WantsTool || part.WantsTool
	if part.Finish != "" {
		whole.Finish = part.Finish
	}
	if part.Native != "" {
		whole.Native = part.Native
	}
}
