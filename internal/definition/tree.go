package definition

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
)

// tree turns the parser's syntax tree into Nodes. shift is added to every line.
type tree struct {
	shift int
}

func (t tree) pos(n ast.Node) Pos {
	tk := n.GetToken()
	// A block mapping is represented by its first colon; its place, for a
	// reader, is its first key.
	switch v := n.(type) {
	case *ast.MappingNode:
		if !v.IsFlowStyle && len(v.Values) > 0 {
			tk = v.Values[0].Key.GetToken()
		}
	case *ast.MappingValueNode:
		tk = v.Key.GetToken()
	}
	if tk == nil || tk.Position == nil {
		return Pos{Line: t.shift + 1, Col: 1}
	}
	return tokenPos(tk, t.shift)
}

func (t tree) node(n ast.Node, depth int) (Node, error) {
	if depth > maxDepth {
		return Node{}, &SyntaxError{t.pos(n), fmt.Sprintf("values are nested deeper than %d", maxDepth)}
	}
	out := Node{Pos: t.pos(n)}
	switch v := n.(type) {
	case *ast.NullNode:
	case *ast.StringNode:
		out.Kind, out.Text = Text, v.Value
	case *ast.LiteralNode:
		out.Kind, out.Text = Text, v.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		out.Kind, out.Text = Number, n.GetToken().Value
	case *ast.BoolNode:
		out.Kind, out.Text = Bool, n.GetToken().Value
	case *ast.SequenceNode:
		return t.list(out, v, depth)
	case *ast.MappingNode:
		return t.mapping(out, v.Values, depth)
	case *ast.MappingValueNode:
		return t.mapping(out, []*ast.MappingValueNode{v}, depth)
	default:
		out.Kind = Other
	}
	return out, nil
}

func (t tree) list(out Node, seq *ast.SequenceNode, depth int) (Node, error) {
	out.Kind = List
	for _, value := range seq.Values {
		item, err := t.node(value, depth+1)
		if err != nil {
			return Node{}, err
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

func (t tree) mapping(out Node, values []*ast.MappingValueNode, depth int) (Node, error) {
	out.Kind = Map
	for _, pair := range values {
		value, err := t.node(pair.Value, depth+1)
		if err != nil {
			return Node{}, err
		}
		out.Fields = append(out.Fields, Field{Pos: t.pos(pair.Key), Key: keyText(pair.Key), Value: value})
	}
	return out, nil
}

// keyText returns a key as a reader of the file would say it.
func keyText(key ast.MapKeyNode) string {
	if s, ok := key.(*ast.StringNode); ok {
		return s.Value
	}
	return key.GetToken().Value
}
