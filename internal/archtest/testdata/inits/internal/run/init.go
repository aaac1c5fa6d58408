package run

type starter struct{}

func (starter) init() {}

func init() {} // [want]
