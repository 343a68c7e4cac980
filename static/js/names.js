// Suggestions of players' names while one types. Without them a name is typed whole.

const PAUSE = 250;
const SHORTEST = 2;

function suggest(input, number) {
  const list = document.createElement("datalist");
  const address = input.closest("[data-names-at]").dataset.namesAt;
  let due = null;
  let asked = "";

  async function ask() {
    const text = input.value.trim();
    if (text.length < SHORTEST || text === asked) return;
    asked = text;
    try {
      const answer = await fetch(`${address}?q=${encodeURIComponent(text)}`, { headers: { Accept: "application/json" } });
      if (!answer.ok || asked !== text) return;
      const { names } = await answer.json();
      list.replaceChildren(...names.map(option));
    } catch {
      // The next letter asks again.
    }
  }

  list.id = `names-${number}`;
  input.setAttribute("list", list.id);
  input.after(list);
  input.addEventListener("input", () => {
    clearTimeout(due);
    due = setTimeout(ask, PAUSE);
  });
}

function option(name) {
  const one = document.createElement("option");
  one.value = name;
  return one;
}

for (const [number, input] of document.querySelectorAll("[data-names]").entries()) suggest(input, number);
