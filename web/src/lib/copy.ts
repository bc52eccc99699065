/** Copying a link, also where a page has no clipboard: a house in one's own network is reached without TLS. */

/** Whether the text is on the clipboard now. */
export async function copy(text: string): Promise<boolean> {
  try {
    // There is none on a page that was not loaded securely; and where there is one, the person may have forbidden it.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyTheOldWay(text);
  }
}

function copyTheOldWay(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "sr";
  // A modal dialog makes everything outside of it inert: only what is inside can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  const focused = document.activeElement;
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
