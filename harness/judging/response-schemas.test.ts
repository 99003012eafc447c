import { describe, expect, test } from "vitest";
import type { ContractDocument, Schema } from "../../spec/contract.ts";
import { compileResponseSchemas, type ResponseSchemaName } from "./response-schemas.ts";
import { contract, schemas } from "../testing/contract.ts";
import { account, batch, changed } from "../../model/testing/exchanges.ts";

const faults = (name: ResponseSchemaName, value: unknown) =>
  schemas.faultsIn(name, value).map(({ pointer, keyword, expected }) => `${pointer} ${keyword}: ${expected}`);

describe("a response against its schema", () => {
  test.each([
    ["Token", [], [" type: an object"]],
    ["Token", { token: 7 }, ["/token type: a string"]],
    ["BatchList", { count: 2.5, total: "2" }, ["/count type: an integer", "/total type: an integer"]],
    ["BatchList", { batches: {} }, ["/batches type: an array"]],
    ["Operation", { batch_id: 7 }, ["/batch_id type: a string or null"]],
    ["Operation", { foreign_currency_amount: "7" }, ["/foreign_currency_amount type: a number"]],
    ["Operation", { created_at: "2026" }, ["/created_at format: an RFC 3339 date-time with a zone"]],
    ["Operation", { intermediary_bank: 7 }, ["/intermediary_bank type: an object or null"]],
    [
      "Operation",
      { intermediary_bank: { bank_name: "x", swift_code: 7 } },
      ["/intermediary_bank/bank_country required: present", "/intermediary_bank/swift_code type: a string"],
    ],
    ["Operation", { intermediary_bank: null }, []],
    ["Operation", JSON.parse('{"foreign_currency_amount":1e400}'), ["/foreign_currency_amount type: a number"]],
    [
      "Counterparty",
      { bank_account: null, intermediary_bank: null },
      ["/bank_account type: an object", "/intermediary_bank type: an object"],
    ],
    [
      "Batch",
      changed(batch, "/operations/0/bank_account/swift_code", undefined),
      ["/operations/0/bank_account/swift_code required: present"],
    ],
  ] as const)("%s %j", (name, value, wanted) => {
    expect(faults(name, value)).toEqual(wanted);
  });

  test("all faults are reported, and formats of requests bind nothing", () => {
    const wrong = { ...account, bank_name: 1, swift_code: 2, iban: "no IBAN" };
    expect(faults("Counterparty", { id: 3, bank_account: wrong })).toHaveLength(3);
  });

  test("members of the prototype do not count as present", () => {
    const prototype = { bank_account: Object.create(account) };
    expect(faults("Counterparty", prototype)).toHaveLength(4);
  });
});

describe("a contract", () => {
  const withSchema = (name: string, schema: Schema): ContractDocument => ({
    ...contract,
    components: { schemas: { ...contract.components.schemas, [name]: schema } },
  });

  test("may have extensions and formats of its own", () => {
    const schema = { type: "string", format: "of-ours", "x-of-ours": [null] };
    const { faultsIn } = compileResponseSchemas(withSchema("Token", schema));
    expect(faultsIn("Token", "x")).toEqual([]);
    expect(faultsIn("Token", 7)).toEqual([{ pointer: "", keyword: "type", expected: "a string" }]);
  });

  test("with other keywords reports them as they are, and members with slashes escaped", () => {
    const { faultsIn } = compileResponseSchemas(
      withSchema("Token", { type: "object", properties: { "a/b~c": {} }, required: ["a/b~c"], minProperties: 2 }),
    );
    expect(faultsIn("Token", {})).toEqual([
      { pointer: "", keyword: "minProperties", expected: 'minProperties {"limit":2}' },
      { pointer: "/a~1b~0c", keyword: "required", expected: "present" },
    ]);
  });
});
