"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const words = data.words;
const last = data.viewers[0].lines.length - 1;
const canvas = at("picture");
const images = new Map(); // by number
const pages = data.viewers.map(() => []); // of each viewer and step, the numbers of the layers
let viewer = 0, step = 0, timer = 0;

// Pictures: a page is told as its height, layers and runs of layers of the page before.

function layers(number) {
  const known = pages[viewer];
  while (known.length <= number) {
    const before = known.at(-1) ?? [], told = data.viewers[viewer].pages[known.length].slice(1);
    known.push(told.flatMap((each) => Array.isArray(each) ? before.slice(...each) : each));
  }
  return known[number].map((layer) => data.layers[layer]);
}

function image(number) {
  if (!images.has(number)) {
    const found = new Image();
    found.src = "data:image/webp;base64," + data.files[number];
    images.set(number, found.decode().then(() => found));
  }
  return images.get(number);
}

async function draw() {
  const wanted = { viewer, step }, laid = layers(step);
  const found = await Promise.all(laid.map((layer) => image(layer[0])));
  if (wanted.viewer !== viewer || wanted.step !== step) return; // the reader has gone on
  canvas.width = found[0].width;
  canvas.height = data.viewers[viewer].pages[step][0];
  const pen = canvas.getContext("2d");
  laid.forEach(([, left, top], index) => pen.drawImage(found[index], left, top));
  canvas.setAttribute("aria-label", data.viewers[viewer].alts[step]);
  document.body.dataset.shown = viewer + "/" + step;
}

// Words

function where(number) {
  return words.step.replace("{number}", number + 1).replace("{count}", last + 1);
}

function fill(element, lines) {
  element.replaceChildren(...lines.map((line) => {
    const span = document.createElement("span");
    span.textContent = line + " ";
    return span;
  }));
}

function list() {
  const items = data.viewers[viewer].lines.map((lines, number) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    fill(button, lines.length ? lines : [where(number)]);
    button.addEventListener("click", () => go(number));
    item.append(button);
    return item;
  });
  document.querySelector("#log ol").replaceChildren(...items);
}

function tell() {
  const lines = data.viewers[viewer].lines[step], box = document.querySelector("#log ol");
  const told = at("told"), paragraph = document.createElement("p");
  fill(paragraph, lines.length ? lines : [words.nothing]);
  const head = document.createElement("strong");
  head.textContent = where(step);
  told.replaceChildren(head, paragraph);
  at("slider").value = step;
  at("slider").setAttribute("aria-valuetext", where(step));
  box.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = box.children[step].firstChild;
  current.setAttribute("aria-current", "step");
  box.scrollTop = current.offsetTop - box.clientHeight / 2;
  for (const button of document.querySelectorAll("[data-way]")) button.disabled = ways[button.dataset.way]() === step;
}

// Ways through the match

function before(marks) {
  return marks.findLast((mark) => mark < step) ?? 0;
}

function after(marks) {
  return marks.find((mark) => mark > step) ?? last;
}

const ways = {
  first: () => 0,
  back: () => Math.max(step - 1, 0),
  next: () => Math.min(step + 1, last),
  last: () => last,
  turn_back: () => before(data.turns),
  turn_next: () => after(data.turns),
  round_back: () => before(data.rounds),
  round_next: () => after(data.rounds),
};

function go(number) {
  step = number;
  tell();
  draw();
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => (step < last ? go(step + 1) : play(false)), 1200) : 0;
  at("play").textContent = on ? words.pause : words.play;
  at("told").setAttribute("aria-live", on ? "off" : "polite"); // nobody is read to faster than they listen
}

function toggle() {
  const on = !timer;
  if (on && step === last) go(0);
  play(on);
}

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", PageUp: "turn_back", PageDown: "turn_next" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
  if (event.key === " " && event.target.tagName !== "BUTTON") {
    toggle();
  } else if (event.key in KEYS) {
    play(false);
    go(ways[KEYS[event.key]]());
  } else {
    return;
  }
  event.preventDefault();
});

for (const button of document.querySelectorAll("[data-way]")) {
  const word = words[button.dataset.way];
  if (button.classList.contains("word")) button.textContent = word;
  else button.setAttribute("aria-label", word);
  button.title = word;
  button.addEventListener("click", () => {
    play(false);
    go(ways[button.dataset.way]());
  });
}
at("play").addEventListener("click", toggle);
at("slider").addEventListener("input", () => {
  play(false);
  go(Number(at("slider").value));
});

at("title").textContent = data.title;
at("about").textContent = data.about;
at("notes").textContent = data.notes.join(" ");
at("happened").textContent = words.happened;
at("keys").textContent = words.keys;
at("bar").setAttribute("aria-label", words.controls);
at("slider").setAttribute("aria-label", words.slider);
at("slider").max = last;
if (data.viewers.length > 1) {
  const select = document.querySelector("#eyes select");
  document.querySelector("#eyes span").textContent = words.eyes;
  data.viewers.forEach((each, number) => select.append(new Option(each.name, number)));
  select.addEventListener("change", () => {
    viewer = Number(select.value);
    list();
    go(step);
  });
  at("eyes").hidden = false;
}
at("page").hidden = false;
list();
play(false);
go(0);
