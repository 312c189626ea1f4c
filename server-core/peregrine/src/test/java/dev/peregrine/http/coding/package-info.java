@NullMarked
package dev.peregrine.http.coding;

import org.jspecify.annotations.NullMarked;
