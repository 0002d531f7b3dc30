/**
 * Cures the formatters that come with Rust where an enum hides its variant in a value that its payload cannot have. lldb
 * keeps only the lower half of such a value: the `None` of an `Option<String>` is shown as `Some("")`, an empty string as
 * `None`, and the `Ok(3)` of a `Result<i32, String>` as a text at a wild address. What hides it is the capacity of a
 * `Vec`, `String` or the like: with its highest bit set it is none.
 */
const PATCH = `
try:
    import lldb_providers

    def holds_capacity(value, address, depth):
        for index in range(min(value.GetNumChildren(), 8)):
            child = value.GetChildAtIndex(index).GetNonSyntheticValue()
            if child.GetLoadAddress() != address and depth == 0:
                continue
            name = child.GetTypeName() or ""
            if child.GetLoadAddress() == address and ("NoHighBit" in name or name.endswith("::Cap")):
                return True
            if depth > 0 and holds_capacity(child, address, depth - 1):
                return True
        return False

    def variant_index(self, variants):
        found, default, hidden = {}, 0, None
        for index in range(variants.GetNumChildren()):
            variant = variants.GetChildAtIndex(index)
            discriminant = variant.GetChildMemberWithName("$discr$")
            if discriminant.IsValid():
                hidden = discriminant
                found[variant.GetName()] = index
            else:
                default = index
        if hidden is None:
            return default
        value = hidden.GetValueAsUnsigned()
        payload = variants.GetChildAtIndex(default).GetNonSyntheticValue()
        if hidden.GetByteSize() == 8 and holds_capacity(payload, hidden.GetLoadAddress(), 8):
            if value < 1 << 63:
                return default
            low = found.get("$variant$%d" % (value & 0xFFFFFFFF), default)
            return found.get("$variant$%d" % value, low)
        return found.get("$variant$%d" % value, default)

    lldb_providers.ClangEncodedEnumProvider._getCurrentVariantIndex = variant_index
except Exception:
    pass
`

/** A command of lldb, for after the formatters. */
export const PATCH_RUST_ENUMS = `script exec(${JSON.stringify(PATCH)}, {})`
