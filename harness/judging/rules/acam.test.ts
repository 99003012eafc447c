import { describe, expect, test } from "vitest";
import { unusual, type Json } from "../../../model/exchange.ts";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import { brokenIn, said } from "../../testing/judgements.ts";
import { acamResult } from "./acam.ts";

const message = "ACAM item added successfully";
const response = (json: Json) => exchangeOf("addAcamItem", { json });

describe("the exact texts of an ACAM success (INT-22)", () => {
  test.each([200, 201, 202])("stand in a response with %i", (status) => {
    const both = new Set(["ACAM-01 holds", "ACAM-02 holds"]);
    expect(new Set(said(acamResult, exchangeOf("addAcamItem", { status })))).toEqual(both);
    expect(new Set(said(acamResult, exchangeOf("addAcamItem", { intent: unusual("a long merchant") })))).toEqual(both);
    expect(new Set(said(acamResult, response({ message, status: "success", id: 7 })))).toEqual(both);
  });

  test.each([
    "ACAM item added successfully.",
    "ACAM item added successfully ",
    "acam item added successfully",
    "Acam Item Added Successfully",
    "ACAM item added",
    "",
    null,
    7,
    ["ACAM item added successfully"],
  ])("message %j is another", (wrong) => {
    expect(brokenIn(response({ message: wrong, status: "success" }))).toEqual(["ACAM-01"]);
  });

  test.each(["Success", "SUCCESS", "ok", "success ", "", true, null])("status %j is another", (wrong) => {
    expect(brokenIn(response({ message, status: wrong }))).toEqual(["ACAM-02"]);
  });

  test("what differs is reported", () => {
    expect(said(acamResult, response({ message: "ok", status: "success" }))).toEqual([
      'ACAM-01 POST /corporate/operation/{operation_id}/acam: the message of the success is not the stated text. | /message = "ACAM item added successfully" | /message = "ok" | /message',
      "ACAM-02 holds",
    ]);
    expect(said(acamResult, response({ message }))).toEqual([
      "ACAM-01 holds",
      `ACAM-02 POST /corporate/operation/{operation_id}/acam: the status of the success is not the stated text. | /status = "success" | /status is absent in {"message":"${message}"} | /status`,
    ]);
    expect(said(acamResult, response([])).map((line) => line.split(" | ")[2])).toEqual([
      "/message is absent in []",
      "/status is absent in []",
    ]);
  });

  test("are not looked for in what is not JSON", () => {
    expect(said(acamResult, exchangeOf("addAcamItem", { body: "OK" }))).toEqual([]);
  });
});
