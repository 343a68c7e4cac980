// What a browser can do with a table's link beside copying it: hand it to another program, print it.

const share = document.querySelector("[data-share]");
if (navigator.share && share) {
  share.hidden = false;
  share.addEventListener("click", () => navigator.share({ title: document.title, url: share.dataset.share }).catch(() => {}));
}

const print = document.querySelector("[data-print]");
print.hidden = false;
print.addEventListener("click", () => window.print());
