/**
 * Drawings for the pictures of the docs: scenes of threshing and baking as SVG, in the colours of the app. Drawn,
 * because the pattern of a test tells a reader nothing, and photographs would need a licence.
 */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
const numbersOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join("");

const svg = ({ width, height }: Size, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMid slice">${content}</svg>`;

const sky = ({ width, height }: Size, top: string, bottom: string): string =>
  `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs><rect width="${width}" height="${height}" fill="url(#sky)"/>`;

const hill = ({ width, height }: Size, y: number, swing: number, colour: string): string =>
  `<path d="M0 ${y * height} C${width * 0.3} ${(y - swing) * height} ${width * 0.55} ${(y + swing) * height} ${width} ${(y - swing / 2) * height} V${height} H0Z" fill="${colour}"/>`;

const grain = (x: number, y: number, size: number, turn: number, colour: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${size * 0.55}" ry="${size}" transform="rotate(${turn} ${x} ${y})" fill="${colour}"/>`;

const ear = (x: number, foot: number, height: number, lean: number): string => {
  const top = x + lean;
  const stalk = `<path d="M${x} ${foot} Q${x} ${foot - height / 2} ${top} ${foot - height}" stroke="#c79a45" stroke-width="${height / 60}" fill="none"/>`;
  const size = height / 20;
  return (
    stalk +
    times(6, (index) => {
      const y = foot - height + index * size * 1.3;
      return grain(top - size, y, size, 25, "#f0c069") + grain(top + size, y, size, -25, "#e3ae52");
    })
  );
};

const SKIES: ReadonlyArray<readonly [string, string]> = [
  ["#f6d8a0", "#f7efdc"],
  ["#8cc3b0", "#f4e6c2"],
  ["#e8a15f", "#f6dfb4"],
  ["#6ea8a0", "#e9e3c8"]
];

/** A field on a windy evening: chaff flies, grain falls on the heap. */
export const threshingFloor = (size: Size, seed: number): string => {
  const { width, height } = size;
  const next = numbersOf(seed);
  const [top, bottom] = SKIES[seed % SKIES.length] ?? ["", ""];
  const heapX = width * (0.3 + 0.4 * next());
  const sun = `<circle cx="${width * (0.15 + 0.7 * next())}" cy="${height * 0.3}" r="${height * 0.11}" fill="#fff3d0"/>`;
  const winds = times(7, (index) => {
    const y = height * (0.14 + 0.07 * index);
    const x = width * next() * 0.5;
    return `<path d="M${x} ${y} c${width * 0.12} ${-height * 0.05} ${width * 0.2} ${height * 0.05} ${width * 0.34} 0" stroke="#fff" stroke-opacity=".55" stroke-width="${height / 130}" stroke-linecap="round" fill="none"/>`;
  });
  const heap = `<path d="M${heapX - width * 0.2} ${height * 0.86} Q${heapX} ${height * 0.5} ${heapX + width * 0.2} ${height * 0.86}Z" fill="#e3ae52"/>`;
  const grains = times(70, () => {
    const spread = (next() - 0.5) * width * 0.16;
    return grain(heapX + spread, height * (0.3 + 0.42 * next()), height / 90, next() * 180, "#c98f33");
  });
  const chaff = times(60, () => {
    const away = next();
    const y = height * (0.25 + 0.3 * next() - 0.12 * away);
    return grain(heapX + away * width * 0.5, y, height / 140, next() * 180, "#fbeec6");
  });
  const ears = times(16, (index) =>
    ear(width * ((index + next() * 0.6) / 16), height * 1.02, height * (0.2 + 0.14 * next()), width * 0.02)
  );
  return svg(
    size,
    sky(size, top, bottom) +
      sun +
      hill(size, 0.62, 0.08, "#9cc2a0") +
      hill(size, 0.7, 0.05, "#5e9a77") +
      hill(size, 0.8, 0.03, "#1d6446") +
      winds +
      heap +
      grains +
      chaff +
      ears
  );
};

/** A loaf with a cross, on a board with ears of wheat. */
export const loaf = (size: Size): string => {
  const { width, height } = size;
  const next = numbersOf(7);
  const [x, y] = [width / 2, height * 0.52];
  const flour = times(90, () => {
    const [dx, dy] = [(next() - 0.5) * width * 0.5, (next() - 0.5) * height * 0.34];
    return `<circle cx="${x + dx}" cy="${y + dy}" r="${height / 220}" fill="#fff8e8" opacity=".8"/>`;
  });
  const cut = (turn: number): string =>
    `<path d="M${x - width * 0.17} ${y} Q${x} ${y - height * 0.09} ${x + width * 0.17} ${y}" transform="rotate(${turn} ${x} ${y})" stroke="#fbe9c4" stroke-width="${height / 22}" stroke-linecap="round" fill="none"/>`;
  return svg(
    size,
    sky(size, "#dfe9df", "#f7f1e3") +
      `<rect x="${width * 0.1}" y="${height * 0.2}" width="${width * 0.8}" height="${height * 0.66}" rx="${height * 0.08}" fill="#b98550"/>` +
      `<rect x="${width * 0.13}" y="${height * 0.24}" width="${width * 0.74}" height="${height * 0.58}" rx="${height * 0.06}" fill="#c99763"/>` +
      `<ellipse cx="${x}" cy="${y + height * 0.04}" rx="${width * 0.28}" ry="${height * 0.25}" fill="#7b4a22"/>` +
      `<ellipse cx="${x}" cy="${y}" rx="${width * 0.27}" ry="${height * 0.24}" fill="#b4703a"/>` +
      cut(12) +
      cut(84) +
      flour +
      ear(width * 0.16, height * 0.96, height * 0.34, -width * 0.02) +
      ear(width * 0.84, height * 0.96, height * 0.34, width * 0.02)
  );
};

/** A sieve from above; `mesh` is the number of its wires across. */
export const sieve = (size: Size, mesh: number): string => {
  const { width, height } = size;
  const next = numbersOf(mesh);
  const [x, y, radius] = [width / 2, height / 2, Math.min(width, height) * 0.38];
  const step = (2 * radius) / mesh;
  const wires = times(mesh - 1, (index) => {
    const at = -radius + (index + 1) * step;
    const half = Math.sqrt(radius ** 2 - at ** 2);
    return `<path d="M${x + at} ${y - half}V${y + half}M${x - half} ${y + at}H${x + half}"/>`;
  });
  const grains = times(46, () => {
    const [turn, away] = [next() * 2 * Math.PI, Math.sqrt(next()) * radius * 0.8];
    return grain(x + Math.cos(turn) * away, y + Math.sin(turn) * away, radius / 18, next() * 180, "#e3ae52");
  });
  return svg(
    size,
    sky(size, "#1d6446", "#2f7d5b") +
      `<circle cx="${x}" cy="${y}" r="${radius}" fill="#f7f1e3"/>` +
      `<g stroke="#9aa8a0" stroke-width="${Math.max(2, step / 9)}">${wires}</g>` +
      grains +
      `<circle cx="${x}" cy="${y}" r="${radius * 1.05}" fill="none" stroke="#c79a45" stroke-width="${radius * 0.12}"/>`
  );
};

/** A paper bag with a label. */
export const paperBag = (size: Size, label: string): string => {
  const { width, height } = size;
  const [left, top, wide, tall] = [width * 0.36, height * 0.16, width * 0.28, height * 0.7];
  return svg(
    size,
    sky(size, "#e4f0e8", "#f7f5f0") +
      `<ellipse cx="${width / 2}" cy="${height * 0.87}" rx="${width * 0.24}" ry="${height * 0.04}" fill="#cfd8cf"/>` +
      `<path d="M${left} ${top + tall * 0.12} L${left + wide * 0.06} ${top} H${left + wide * 0.94} L${left + wide} ${top + tall * 0.12} V${top + tall} H${left}Z" fill="#d9b98a"/>` +
      `<rect x="${left}" y="${top + tall * 0.3}" width="${wide}" height="${tall * 0.42}" fill="#1d6446"/>` +
      `<text x="${width / 2}" y="${top + tall * 0.49}" font-family="Georgia, serif" font-size="${height / 15}" fill="#fff" text-anchor="middle">${label}</text>` +
      `<text x="${width / 2}" y="${top + tall * 0.62}" font-family="Georgia, serif" font-size="${height / 24}" fill="#ffd98a" text-anchor="middle">stone-ground, 1 kg</text>` +
      ear(width * 0.3, height * 0.9, height * 0.5, -width * 0.02) +
      ear(width * 0.7, height * 0.9, height * 0.5, width * 0.02)
  );
};
