package runs

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
)

func TestErrorsAreToldApartAndKeepTheirCause(t *testing.T) {
	t.Parallel()
	require.NoError(t, Translate(nil))
	words := []error{ErrNotFound, ErrUnreachable, ErrRefused, context.Canceled}
	for name, c := range map[string]struct{ err, want error }{
		"no such workflow":      {serviceerror.NewNotFound("gone"), ErrNotFound},
		"wrapped":               {fmt.Errorf("get: %w", serviceerror.NewNotFound("gone")), ErrNotFound},
		"server away":           {serviceerror.NewUnavailable("refused"), ErrUnreachable},
		"server too slow":       {serviceerror.NewDeadlineExceeded("late"), ErrUnreachable},
		"server too busy":       {serviceerror.NewResourceExhausted(enumspb.RESOURCE_EXHAUSTED_CAUSE_RPS_LIMIT, "slow down"), ErrUnreachable},
		"no such namespace":     {serviceerror.NewNamespaceNotFound("tutti"), ErrRefused},
		"not permitted":         {serviceerror.NewPermissionDenied("no", ""), ErrRefused},
		"the caller gave up":    {context.Canceled, context.Canceled},
		"the call was given up": {serviceerror.NewCanceled("by the caller"), context.Canceled},
		"something else":        {errors.New("boom"), nil},
		"an argument refused":   {serviceerror.NewInvalidArgument("TuttiTenant"), nil},
	} {
		got := Translate(c.err)
		require.ErrorIs(t, got, c.err, name)
		for _, word := range words {
			if errors.Is(word, c.want) {
				require.ErrorIs(t, got, word, name)
			} else {
				require.NotErrorIs(t, got, word, name)
			}
		}
	}
}

func TestOnlyARefusalForOurAttributesIsOne(t *testing.T) {
	t.Parallel()
	require.True(t, isUnknownAttribute(fmt.Errorf("start: %w",
		serviceerror.NewInvalidArgument("Namespace x has no mapping defined for search attribute TuttiTenant"))))
	require.False(t, isUnknownAttribute(serviceerror.NewInvalidArgument("the workflow ID is too long")))
	require.False(t, isUnknownAttribute(serviceerror.NewUnavailable("TuttiTenant")))
	require.False(t, isUnknownAttribute(nil))
}
