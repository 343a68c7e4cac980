// The moment that a view shows, in an address: the deal from 1, and how many of its calls and cards had been made.

export function momentOf(view) {
  return view.deal === null ? {} : { deal: view.deal + 1, act: (view.by ?? "").length };
}

export function withMoment(address, moment, more = {}) {
  const url = new URL(address, location.href);
  for (const [name, value] of Object.entries({ ...more, ...moment })) url.searchParams.set(name, value);
  return url.href;
}

// A link whose click copies it; where the browser cannot copy it is followed as any other.
export function copies(link) {
  const words = link.textContent;
  link.addEventListener("click", async (event) => {
    if (!navigator.clipboard) return;
    event.preventDefault();
    await navigator.clipboard.writeText(link.href).then(
      () => { link.textContent = gettext("Link copied"); },
      () => { location.assign(link.href); },
    );
    setTimeout(() => { link.textContent = words; }, 2500);
  });
}
