// What axe does not see of a page, each as a list of faults in words; tests/browser/soundness.py
// asks for them.
"use strict";

(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const told = (part) => part.outerHTML.replace(/\s+/g, " ").slice(0, 110);
  const isShown = (part) => part.checkVisibility({ visibilityProperty: true });

  // Off the page or clipped away: there for screen readers alone.
  function isForReaders(part) {
    const box = part.getBoundingClientRect();
    return box.width <= 1 || box.height <= 1 || part.closest(".visually-hidden, .skip") !== null;
  }

  // --- Colours.

  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

  // Red, green, blue and alpha, the last from 0 to 1, of whatever CSS calls a colour.
  function channels(colour) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  }

  function luminance([red, green, blue]) {
    const [r, g, b] = [red, green, blue].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  // WCAG 2.2, "contrast ratio".
  function contrast(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  function groundOf(part) {
    for (let at = part; at; at = at.parentElement) {
      const ground = channels(getComputedStyle(at).backgroundColor);
      if (ground[3] > 0.5) return ground;
    }
    return channels("Canvas");
  }

  // --- Structure.

  function headings() {
    const found = all("h1, h2, h3, h4, h5, h6").filter(isShown);
    const levels = found.map((heading) => Number(heading.tagName[1]));
    const faults = [];
    if (levels.filter((level) => level === 1).length !== 1) faults.push(`levels: ${levels}`);
    if (levels[0] !== 1) {
      // What went wrong stands under the title like everything else.
      faults.push(`the first heading: ${told(found[0] ?? document.body)}`);
    }
    levels.forEach((level, at) => {
      if (at && level > levels[at - 1] + 1) faults.push(`skips to level ${level}: ${told(found[at])}`);
    });
    for (const heading of found) if (!heading.textContent.trim()) faults.push("an empty heading");
    return faults;
  }

  // The cells of a table by row and column, spans included.
  function gridOf(table) {
    const grid = [...table.rows].map(() => []);
    [...table.rows].forEach((row, top) => {
      for (const cell of row.cells) {
        let left = 0;
        while (grid[top][left]) left += 1;
        for (let down = 0; down < cell.rowSpan; down += 1) {
          for (let right = 0; right < cell.colSpan; right += 1) {
            if (grid[top + down]) grid[top + down][left + right] = cell;
          }
        }
      }
    });
    return grid;
  }

  function tables() {
    return all("table").flatMap((table) => {
      const faults = [];
      if (!table.caption?.textContent.trim()) faults.push(`no caption: ${told(table)}`);
      for (const header of table.querySelectorAll("th")) {
        if (!["col", "row", "colgroup", "rowgroup"].includes(header.scope)) {
          faults.push(`no scope: ${told(header)}`);
        }
      }
      const grid = gridOf(table);
      const isHeader = (cell, ...scopes) => cell?.tagName === "TH" && scopes.includes(cell.scope);
      grid.forEach((row, top) =>
        row.forEach((cell, left) => {
          if (cell.tagName === "TH") return;
          const hasColumn = grid.some((other) => isHeader(other[left], "col", "colgroup"));
          const hasRow = row.some((other) => isHeader(other, "row", "rowgroup"));
          if (!hasColumn && !hasRow) {
            faults.push(`no header for row ${top + 1}, column ${left + 1}: ${told(cell)}`);
          }
        }),
      );
      return faults;
    });
  }

  function languages() {
    const faults = [];
    if (document.documentElement.lang !== "en") faults.push("the page says not that it is English");
    for (const part of all("[lang]")) {
      try {
        new Intl.Locale(part.lang);
      } catch {
        faults.push(`no language: ${told(part)}`);
      }
    }
    // Text in another script than the page's own, without a word on its direction.
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      if (!/[\u0590-\u08ff]/.test(text.data)) continue;
      if (!text.parentElement.closest("[dir], bdi, option, title")) {
        faults.push(`no direction: ${told(text.parentElement)}`);
      }
    }
    return faults;
  }

  // --- Use.

  const NATIVE = "a[href], button, input, select, textarea, summary, label, option";
  // Listen in place of the buttons inside them.
  const DELEGATES = "html, body, main, form, tbody, fieldset, [role=group], [data-inspector]";

  function clickOnly() {
    const listening = [...(window.heardClicks ?? [])].filter((part) => part instanceof Element);
    const pointed = all("body *").filter(
      (part) =>
        isShown(part) &&
        getComputedStyle(part).cursor === "pointer" &&
        !part.parentElement.closest(NATIVE),
    );
    return [...listening, ...pointed]
      .filter((part) => part.isConnected && !part.matches(`${NATIVE}, ${DELEGATES}`))
      .map((part) => `only a click works: ${told(part)}`);
  }

  // WCAG 2.2, 2.5.8. In a line of text a target is as large as the line.
  function isInText(target) {
    const style = getComputedStyle(target);
    if (!style.display.startsWith("inline") || style.display === "inline-flex") return false;
    const around = target.parentElement.closest("p, li, dd, dt, td, th, div, summary");
    return (around?.textContent.trim().length ?? 0) > target.textContent.trim().length;
  }

  function boxOf(target) {
    // A box or a button that is ticked by its label, too, is as large as both.
    const boxes = [target, ...(target.labels ?? [])].filter(isShown).map((part) => part.getBoundingClientRect());
    return [Math.max(...boxes.map((box) => box.width)), Math.max(...boxes.map((box) => box.height))];
  }

  function targets() {
    return all("a[href], button, input:not([type=hidden]), select, textarea, summary")
      .filter((target) => isShown(target) && !target.closest(".visually-hidden, .skip"))
      .filter((target) => !target.closest("[class*=trap]") && !isInText(target))
      .filter((target) => Math.min(...boxOf(target)) < 24)
      .map((target) => `${boxOf(target).map(Math.round).join(" by ")} px: ${told(target)}`);
  }

  // --- Room.

  function sideways() {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = all("main *, header *, footer *").filter((part) => {
      const box = part.getBoundingClientRect();
      return box.right > clientWidth + 1 && isShown(part) && !part.closest(".scroll, .visually-hidden");
    });
    return [`${scrollWidth} px wide; ${wide.slice(-3).map(told).join("; ")}`];
  }

  // What scrolls by itself must be reached by the keyboard, and be there for good reason.
  function boxesThatScroll() {
    return all("body *")
      .filter((part) => isShown(part) && !part.matches("textarea, select"))
      .filter((part) => ["auto", "scroll"].includes(getComputedStyle(part).overflowX))
      .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.tabIndex < 0)
      .map((part) => `scrolls, but not by the keyboard: ${told(part)}`);
  }

  function cutOff() {
    return all("button, a, summary, label, th, td, p, li, dt, dd, legend, h1, h2, h3, output")
      .filter((part) => isShown(part) && !isForReaders(part))
      .filter((part) => {
        const style = getComputedStyle(part);
        const hides = (value) => value === "hidden" || value === "clip";
        return (
          (hides(style.overflowX) && part.scrollWidth > part.clientWidth + 2) ||
          (hides(style.overflowY) && part.scrollHeight > part.clientHeight + 2)
        );
      })
      .map((part) => `cut off: ${told(part)}`);
  }

  const SPACING = `* {
      line-height: 1.5 !important;
      letter-spacing: 0.12em !important;
      word-spacing: 0.16em !important;
    }
    p { margin-block-end: 2em !important; }`; // WCAG 2.2, 1.4.12

  function spaced() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(SPACING);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    const faults = [...sideways(), ...cutOff()];
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    return faults.map((fault) => `with spacing: ${fault}`);
  }

  // --- Forced colours: what was told by a ground must be told by a line.

  function forced() {
    const faults = [];
    for (const part of all(".button, .chip, input:not([type=hidden]), select, textarea")) {
      // The browser draws these itself.
      if (!isShown(part) || ["radio", "checkbox", "file"].includes(part.type)) continue;
      const style = getComputedStyle(part);
      if (style.borderTopStyle === "none" || parseFloat(style.borderTopWidth) === 0) {
        faults.push(`no border: ${told(part)}`);
      }
    }
    for (const shape of all("svg :is(rect, path, circle, line, text)")) {
      if (!isShown(shape) || /ground|track/.test(shape.getAttribute("class") ?? "")) continue;
      const box = shape.getBoundingClientRect();
      if (!box.width && !box.height) continue;
      const style = getComputedStyle(shape);
      const ground = groundOf(shape.closest("svg"));
      const drawn = [style.fill, style.stroke].filter((paint) => paint !== "none").map(channels);
      if (!drawn.some((paint) => paint[3] > 0.3 && contrast(paint, ground) >= 3)) {
        faults.push(`not to be seen: ${told(shape)} ${style.fill} ${style.stroke} on ${ground}`);
      }
    }
    return faults;
  }

  // --- The focus.

  function ringOf(part) {
    const style = getComputedStyle(part);
    const width = parseFloat(style.outlineWidth);
    if (style.outlineStyle === "none" || width < 1) return null;
    return channels(style.outlineColor);
  }

  function ringFaults(part) {
    // A ticked or hidden control shows its focus on the label around it.
    const shown = [part, part.closest("label"), part.closest("article")].find((at) => at && ringOf(at));
    if (!shown) return [`no ring: ${told(part)}`];
    const ratio = contrast(ringOf(shown), groundOf(shown.parentElement ?? shown));
    if (ratio < 3) return [`a faint ring, ${ratio.toFixed(1)}: ${told(part)}`];
    const box = shown.getBoundingClientRect();
    const isInView =
      box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    return isInView ? [] : [`focused out of view: ${told(part)}`];
  }

  // Every stop of the Tab key from here on, as the keys come to it.
  const stops = [];
  const ringsMissed = [];

  function watchFocus() {
    // The Tab key goes on from where the focus was last, even if nothing is there any more.
    const start = document.createElement("span");
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus();
    start.remove();
    document.addEventListener("focusin", ({ target }) => {
      if (stops.includes(target)) return;
      stops.push(target);
      ringsMissed.push(...ringFaults(target));
    });
  }

  // Whether no new stop has come since this was last asked.
  let known = 0;

  function hasGoneRound() {
    const before = known;
    known = stops.length;
    return before === known;
  }

  // The same stops in other colours. After a key, a call to focus shows the ring, too.
  function ringsAgain() {
    return stops.flatMap((stop) => {
      stop.focus();
      return ringFaults(stop);
    });
  }

  // What could be focused and never was. Of a group of radio buttons one is a stop.
  function unreached() {
    const seen = new Set(stops);
    const groups = new Set(stops.filter((stop) => stop.type === "radio").map((stop) => stop.name));
    return all("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")
      .filter((part) => isShown(part) && !part.disabled && part.tabIndex >= 0 && !seen.has(part))
      .filter((part) => !(part.type === "radio" && groups.has(part.name)))
      .map((part) => `never focused: ${told(part)}`);
  }

  // --- Less to look at, for axe and the Tab key take most of the time.

  const styles = () => all("link[rel=stylesheet]").map((link) => link.href).join();

  // The parts that are the same in many states, and a name for each as it now stands.
  const commonParts = () => all(".reading, .feedback, .site-footer");
  const common = () => commonParts().map((part) => styles() + part.outerHTML);

  function remove(numbers) {
    const parts = commonParts();
    for (const number of numbers) parts[number].remove();
  }

  // Leaves of every long list and table its beginning: what follows is made by the same template.
  function thin() {
    for (const parent of all("tbody, ol, ul, p, bdi, svg, dl")) {
      [...parent.children].slice(8).forEach((child) => child.remove());
    }
  }

  window.checks = {
    headings,
    tables,
    languages,
    clickOnly,
    targets,
    sideways,
    boxesThatScroll,
    cutOff,
    spaced,
    forced,
    watchFocus,
    hasGoneRound,
    ringsAgain,
    common,
    remove,
    thin,
    focusFaults: () => [...ringsMissed, ...unreached()],
  };
})();
