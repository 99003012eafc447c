import { describe, expect, it } from "vitest";
import { isBic, isIban, isRoutingNumber, isTaxId } from "./bank-codes.ts";

describe("codes of banks and taxpayers", () => {
  it.each([
    [isBic, "COBADEFF", "COBADEFFXXX", "COBADEF"],
    [isIban, "DE89370400440532013000", "GB82WEST12345698765432", "DE89370400440532013001"],
    [isRoutingNumber, "021000021", "111000025", "021000022"],
    [isTaxId, "52998224725", "11222333000181", "52998224724"],
    [isTaxId, "11144477735", "00000000000191", "11111111111"],
  ])("%o takes two and refuses the third", (isRight, one, other, wrong) => {
    expect([one, other, wrong].map(isRight)).toEqual([true, true, false]);
  });
});
