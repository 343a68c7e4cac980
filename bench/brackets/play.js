// Makes and plays out an elimination with brackets-manager, in memory: node play.js ENTRANTS FORMAT
const { BracketsManager } = require("brackets-manager");
const { InMemoryDatabase } = require("brackets-memory-db");

const READY = 2;
const [entrants, format] = [Number(process.argv[2]), process.argv[3]];

async function main() {
  const storage = new InMemoryDatabase();
  const manager = new BracketsManager(storage);
  const size = 2 ** Math.ceil(Math.log2(entrants));
  const seeding = Array.from({ length: size }, (_, place) => (place < entrants ? `e${place + 1}` : null));
  const settings = { seedOrdering: ["inner_outer"], grandFinal: "double", balanceByes: false };
  let began = performance.now();
  await manager.create.stage({ name: "bench", tournamentId: 0, type: format, seeding, settings });
  const made = performance.now() - began;
  began = performance.now();
  let played = 0;
  for (;;) {
    const ready = (await storage.select("match")).filter((match) => match.status === READY);
    if (ready.length === 0) break;
    for (const match of ready) {
      await manager.update.match({ id: match.id, opponent1: { score: 31, result: "win" }, opponent2: { score: 12 } });
      played += 1;
    }
  }
  console.log(JSON.stringify({ made_s: made / 1000, played_s: (performance.now() - began) / 1000, matches: played }));
}

main();
