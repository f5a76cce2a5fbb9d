#!/usr/bin/env node
// A second way to the program, which is packages/cli/bin/winnow.mjs.
import "../../cli/bin/winnow.mjs";
