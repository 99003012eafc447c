// House rules that oxlint does not have. oxlint loads this module as a plugin.

/**
 * Named functions at the top of a module are declarations. An arrow is for an argument, or for a
 * value on one line.
 */
const functionDeclarations = {
  create: (context) => ({
    VariableDeclarator(node) {
      const { parent, id, init } = node;
      const isTop =
        parent.parent.type === "Program" || parent.parent.type === "ExportNamedDeclaration";
      if (!isTop || id.typeAnnotation) return;
      if (init?.type !== "ArrowFunctionExpression" && init?.type !== "FunctionExpression") return;
      const { start, end } = parent.loc;
      if (start.line === end.line && init.body.type !== "BlockStatement") return;
      context.report({
        node,
        message: "Write a function declaration: this function is longer than one line.",
      });
    },
  }),
};

/** An assignment is a statement, or the only thing that an arrow does. */
const noNestedAssignment = {
  create: (context) => {
    const check = (node) => {
      const isVoid = node.parent.type === "UnaryExpression" && node.parent.operator === "void";
      const alone = isVoid ? node.parent : node;
      const { parent } = alone;
      const isAlone =
        parent.type === "ExpressionStatement" ||
        (parent.type === "ArrowFunctionExpression" && parent.body === alone) ||
        (parent.type === "ForStatement" && parent.update === alone);
      if (!isAlone) context.report({ node, message: "Assign in a statement of its own." });
    };
    return { AssignmentExpression: check, UpdateExpression: check };
  },
};

/**
 * An array pattern declares several variables only from a value that is an array already, such as
 * the result of a call, and not from an array literal.
 */
const oneVariable = {
  create: (context) => ({
    VariableDeclarator(node) {
      if (node.id.type !== "ArrayPattern" || node.init?.type !== "ArrayExpression") return;
      if (node.init.elements.some((element) => element?.type === "SpreadElement")) return;
      context.report({ node, message: "Declare each variable in a line of its own." });
    },
  }),
};

/** The members of a literal stand in it, and not in a second literal that is spread into it. */
const noSpreadLiteral = {
  create: (context) => ({
    SpreadElement(node) {
      const { type } = node.argument;
      if (type !== node.parent.type || (type !== "ObjectExpression" && type !== "ArrayExpression"))
        return;
      context.report({ node, message: "Write these members without the spread." });
    },
  }),
};

export default {
  meta: { name: "house" },
  rules: {
    "function-declarations": functionDeclarations,
    "no-nested-assignment": noNestedAssignment,
    "one-variable": oneVariable,
    "no-spread-literal": noSpreadLiteral,
  },
};
