/**
 * One benchmark for each technique that Peregrine uses or could use: the plain form beside ours, on
 * the same inputs. {@code docs/TECHNIQUES.md} has the claims and the results.
 */
@NullMarked
package dev.peregrine.bench.technique;

import org.jspecify.annotations.NullMarked;
