/**
 * Says that the pages' code could not be loaded: the network is away, or an update replaced it. Nothing of that code is
 * needed for it.
 */
export function showNotStarted(): void {
  const heading = document.createElement("h1");
  heading.textContent = "The page could not be loaded";
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = "Check your connection, then reload it.";
  const reload = document.createElement("button");
  reload.type = "button";
  reload.className = "button";
  reload.textContent = "Reload";
  reload.onclick = () => location.reload();
  const notice = document.createElement("main");
  notice.append(heading, message, reload);
  notice.className = "not-started";
  document.getElementById("root")?.replaceChildren(notice);
}
