/** Content codings: compressed responses, and requests with compressed content. */
@NullMarked
package dev.peregrine.http.coding;

import org.jspecify.annotations.NullMarked;
