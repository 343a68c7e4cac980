// Shows what the site tells while no page of it is open, and leads there. It touches no page and keeps nothing.

self.addEventListener("push", (event) => {
  const said = event.data?.json() ?? {};
  const { title, body, tag, lang, dir, url } = said;
  event.waitUntil(self.registration.showNotification(title, { body, tag, lang, dir, data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data?.url ?? "/", self.location.origin);
  if (address.origin === self.location.origin) event.waitUntil(self.clients.openWindow(address.href));
});
