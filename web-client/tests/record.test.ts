import { afterEach, expect, test, vi } from "vitest";
import { Refused, rest } from "../src/net/rest";
import { fileOf } from "../src/state/disclosure";

afterEach(() => vi.unstubAllGlobals());

test("hid_72 the record is asked for with the seat's token, and is what the server said, byte for byte", async () => {
  const said = '{"game": "3f0c",  "n": 12345678901234567890}';
  const asked = vi.fn(() => Promise.resolve(new Response(said)));
  vi.stubGlobal("fetch", asked);
  const file = await rest.record("3f0c", "secret");
  expect(await file.text()).toBe(said);
  expect(asked).toHaveBeenCalledWith("/api/games/3f0c/record", {
    headers: { authorization: "Bearer secret" },
  });
});

test("hid_72 a record that is not given is told in the server's words", async () => {
  const body = { code: "not_over", message: "told when the game is over", about: null, refusals: [] };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(body), { status: 409 })));
  const refused = await rest.record("3f0c", "secret").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  expect(refused).toMatchObject({ code: "not_over", message: body.message, status: 409 });
});

test("hid_72 the file has a name that a shell takes as it is", () => {
  expect(fileOf("3f0c7b52-6f3e-4d0e-9c5b-2a7f3f1d9a10")).toBe("picket-3f0c7b52-record.json");
  expect(fileOf("a;b $c")).toBe("picket-abc-record.json");
});
