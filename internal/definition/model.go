package definition

import "regexp"

// modelPattern is wide, because providers name models as they like: any visible
// ASCII but quotes and backslashes.
var modelPattern = regexp.MustCompile(`^[A-Za-z0-9!#$%&()*+,\-./:;<=>?@\[\]^_{|}~]{1,200}$`)

// ValidModel says whether a text can be the name or alias of a model.
func ValidModel(name string) bool { return modelPattern.MatchString(name) }
