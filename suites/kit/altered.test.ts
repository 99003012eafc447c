import { expect, test } from "vitest";
import { idsNear } from "./altered.ts";

test.each([
  ["f0e1d2c3-b4a5-4968-8776-655443322110", ["f0e1d2c3-b4a5-4968-8776-655443322117"]],
  ["F0E1D2C3-B4A5-4968-8776-6554433221AB", ["F0E1D2C3-B4A5-4968-8776-6554433221A2"]],
  ["op_4jd8snwq0xk2", ["op_4jd8snwq0xk9"]],
  ["aGVsbG8gd29ybGQhIQ==", ["aGVsbG8gd29ybGQhI7==", "AgvSBg8GD29YBgqHiq=="]],
  ["Zk3qPw8TnXa", ["Zk3qPw8TnXA", "zK3QpW8tNxA"]],
  ["--", []],
])("ids near %s are %j", (id, near) => {
  expect(idsNear(id)).toEqual(near);
});
