/**
 * One benchmark for each technique that Peregrine rests on, or could rest on: the plain form beside
 * ours, on the same inputs. {@code docs/TECHNIQUES.md} has the claims and what came out.
 */
@NullMarked
package dev.peregrine.bench.technique;

import org.jspecify.annotations.NullMarked;
