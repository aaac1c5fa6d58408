package provider

import "strings"

// nameFor writes a model's name as the provider has it. OpenRouter puts the vendor
// before the name and dots into Claude's versions (anthropic/claude-sonnet-4.5);
// Anthropic has neither (claude-sonnet-4-5). All other names are sent as given.
func nameFor(provider, model string) string {
	switch provider {
	case nameAnthropic:
		model = strings.TrimPrefix(model, "anthropic/")
		if strings.HasPrefix(strings.ToLower(model), "claude") {
			return joinVersion(model, '.', '-')
		}
	case nameOpenRouter:
		return slugFor(model)
	}
	return model
}

// slugFor completes a bare name to OpenRouter's form; a name with a slash is one
// already.
func slugFor(model string) string {
	switch {
	case strings.Contains(model, "/"):
		return model
	case model == "auto": // OpenRouter's own router
		return nameOpenRouter + "/" + model
	case isOpenAIName(model):
		return nameOpenAI + "/" + model
	case strings.HasPrefix(strings.ToLower(model), "claude"):
		return nameAnthropic + "/" + joinVersion(withoutDate(model), '-', '.')
	}
	return model
}

// joinVersion replaces the mark between two single digits, as in 4-5 or 3.7.
func joinVersion(model string, from, to byte) string {
	name := []byte(model)
	for i := 1; i+1 < len(name); i++ {
		if name[i] == from && isSingleDigit(model, i-1) && isSingleDigit(model, i+1) {
			name[i] = to
		}
	}
	return string(name)
}

func isSingleDigit(s string, i int) bool {
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	return digit(i) && !digit(i-1) && !digit(i+1)
}

// withoutDate removes Anthropic's snapshot date, which OpenRouter's names lack.
func withoutDate(model string) string {
	i := strings.LastIndexByte(model, '-')
	if i > 0 && len(model)-i-1 == 8 && digits(model[i+1:]) == 8 {
		return model[:i]
	}
	return model
}
