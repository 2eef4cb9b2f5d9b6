// The allocator of builds without scenes (bindings/wasm/text/heap.c): blocks do not overlap, are aligned, keep what was written, and
// memory that was given back is used again.
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "../package/dist/index.js";

test("blocks stay apart, and what is given back is used again", async () => {
  const { memory } = await load({ log() {} });
  const { memory_take: take, memory_give: give } = memory.exports;
  let state = 1;
  const random = (n) => (state = (state * 48271) % 2147483647) % n;
  const blocks = [];
  const check = ({ at, size, mark }) => {
    const bytes = new Uint8Array(memory.buffer, at, size);
    assert.ok(bytes.every((byte) => byte === mark), `${size} bytes at ${at} are not ${mark}`);
  };
  const round = () => {
    state = 1;
    for (let i = 0; i < 2000; i++) {
      if (blocks.length && (random(2) || blocks.length > 300)) {
        const [block] = blocks.splice(random(blocks.length), 1);
        check(block);
        give(block.at);
      } else {
        const size = random(10) ? random(200) : random(30000), at = take(size), mark = random(256);
        assert.ok(at > 0 && at % 16 === 0, `${at}`);
        new Uint8Array(memory.buffer, at, size).fill(mark);
        blocks.push({ at, size, mark });
      }
    }
    blocks.forEach(check);
    blocks.splice(0).forEach(({ at }) => give(at));
  };
  for (let i = 0; i < 5; i++) round();
  const bytes = memory.buffer.byteLength;
  for (let i = 0; i < 5; i++) round();
  assert.equal(memory.buffer.byteLength, bytes);
  const all = bytes / 2, whole = take(all); // What was cut to pieces is one again.
  give(whole);
  assert.equal(take(all), whole);
  const grown = memory.buffer.byteLength;
  assert.ok(grown <= bytes + all + 65536, `${grown} of ${bytes}`);
  assert.equal(take(2 ** 31 - 1), 0);
});
