export * from "../../model/testing/exchanges.ts";
