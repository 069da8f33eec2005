;; Arithmetic for the encoder. Addresses and `inner` (the length of a row of x) are in bytes.
(module
  (import "env" "memory" (memory 1))

  ;; y[rows][columns] = x[rows][inner] * w, all float32. Rows come in fours, columns in eights.
  ;; w lies in panels of 8 columns: [columns / 8][inner][8].
  (func (export "multiply")
    (param $x i32) (param $w i32) (param $y i32) (param $rows i32) (param $inner i32) (param $columns i32)
    (local $column i32) (local $row i32) (local $step i32) (local $panel i32) (local $out i32)
    (local $outStride i32)
    (local $left v128) (local $w0 v128) (local $w1 v128)
    (local $sum00 v128) (local $sum01 v128) (local $sum10 v128) (local $sum11 v128) (local $sum20 v128) (local $sum21 v128) (local $sum30 v128) (local $sum31 v128)
    (local $x0 i32) (local $x1 i32) (local $x2 i32) (local $x3 i32)
    (local.set $outStride (i32.shl (local.get $columns) (i32.const 2)))
    (loop $eachPanel
      (local.set $row (i32.const 0))
      (loop $eachRows
        (local.set $x0 (i32.add (local.get $x) (i32.mul (i32.add (local.get $row) (i32.const 0)) (local.get $inner))))
        (local.set $x1 (i32.add (local.get $x) (i32.mul (i32.add (local.get $row) (i32.const 1)) (local.get $inner))))
        (local.set $x2 (i32.add (local.get $x) (i32.mul (i32.add (local.get $row) (i32.const 2)) (local.get $inner))))
        (local.set $x3 (i32.add (local.get $x) (i32.mul (i32.add (local.get $row) (i32.const 3)) (local.get $inner))))
        (local.set $sum00 (v128.const i32x4 0 0 0 0))
        (local.set $sum01 (v128.const i32x4 0 0 0 0))
        (local.set $sum10 (v128.const i32x4 0 0 0 0))
        (local.set $sum11 (v128.const i32x4 0 0 0 0))
        (local.set $sum20 (v128.const i32x4 0 0 0 0))
        (local.set $sum21 (v128.const i32x4 0 0 0 0))
        (local.set $sum30 (v128.const i32x4 0 0 0 0))
        (local.set $sum31 (v128.const i32x4 0 0 0 0))
        (local.set $panel (i32.add (local.get $w) (i32.mul (local.get $column) (local.get $inner))))
        (local.set $step (i32.const 0))
        (loop $eachStep
          (local.set $w0 (v128.load (local.get $panel)))
          (local.set $w1 (v128.load offset=16 (local.get $panel)))
          (local.set $left (v128.load32_splat (i32.add (local.get $x0) (local.get $step))))
          (local.set $sum00 (f32x4.add (local.get $sum00) (f32x4.mul (local.get $left) (local.get $w0))))
          (local.set $sum01 (f32x4.add (local.get $sum01) (f32x4.mul (local.get $left) (local.get $w1))))
          (local.set $left (v128.load32_splat (i32.add (local.get $x1) (local.get $step))))
          (local.set $sum10 (f32x4.add (local.get $sum10) (f32x4.mul (local.get $left) (local.get $w0))))
          (local.set $sum11 (f32x4.add (local.get $sum11) (f32x4.mul (local.get $left) (local.get $w1))))
          (local.set $left (v128.load32_splat (i32.add (local.get $x2) (local.get $step))))
          (local.set $sum20 (f32x4.add (local.get $sum20) (f32x4.mul (local.get $left) (local.get $w0))))
          (local.set $sum21 (f32x4.add (local.get $sum21) (f32x4.mul (local.get $left) (local.get $w1))))
          (local.set $left (v128.load32_splat (i32.add (local.get $x3) (local.get $step))))
          (local.set $sum30 (f32x4.add (local.get $sum30) (f32x4.mul (local.get $left) (local.get $w0))))
          (local.set $sum31 (f32x4.add (local.get $sum31) (f32x4.mul (local.get $left) (local.get $w1))))
          (local.set $panel (i32.add (local.get $panel) (i32.const 32)))
          (local.set $step (i32.add (local.get $step) (i32.const 4)))
          (br_if $eachStep (i32.lt_u (local.get $step) (local.get $inner))))
        (local.set $out (i32.add (local.get $y) (i32.add (i32.mul (local.get $row) (local.get $outStride)) (i32.shl (local.get $column) (i32.const 2)))))
        (v128.store (local.get $out) (local.get $sum00))
        (v128.store offset=16 (local.get $out) (local.get $sum01))
        (local.set $out (i32.add (local.get $out) (local.get $outStride)))
        (v128.store (local.get $out) (local.get $sum10))
        (v128.store offset=16 (local.get $out) (local.get $sum11))
        (local.set $out (i32.add (local.get $out) (local.get $outStride)))
        (v128.store (local.get $out) (local.get $sum20))
        (v128.store offset=16 (local.get $out) (local.get $sum21))
        (local.set $out (i32.add (local.get $out) (local.get $outStride)))
        (v128.store (local.get $out) (local.get $sum30))
        (v128.store offset=16 (local.get $out) (local.get $sum31))
        (local.set $row (i32.add (local.get $row) (i32.const 4)))
        (br_if $eachRows (i32.lt_u (local.get $row) (local.get $rows))))
      (local.set $column (i32.add (local.get $column) (i32.const 8)))
      (br_if $eachPanel (i32.lt_u (local.get $column) (local.get $columns)))))

  ;; y[rows][columns] = x[rows][inner] * w * xScale[row] * wScale[column] + bias[column], never below least: x and w int16, the
  ;; rest float32. Rows come in fours, pair by pair: [rows / 4][inner / 2][4][2]; w in panels: [columns / 8][inner / 2][8][2].
  (func (export "multiplyFours")
    (param $x i32) (param $xScale i32) (param $w i32) (param $wScale i32) (param $bias i32) (param $y i32)
    (param $rows i32) (param $inner i32) (param $columns i32) (param $least f32)
    (local $end i32) (local $row i32) (local $scale i32) (local $columnScale i32) (local $columnBias i32)
    (local $at i32) (local $panel i32) (local $last i32) (local $out i32) (local $outStride i32)
    (local $floor v128) (local $left v128) (local $w0 v128) (local $w1 v128)
    (local $sum00 v128) (local $sum01 v128) (local $sum10 v128) (local $sum11 v128) (local $sum20 v128) (local $sum21 v128) (local $sum30 v128) (local $sum31 v128)
    (local.set $outStride (i32.shl (local.get $columns) (i32.const 2)))
    (local.set $floor (f32x4.splat (local.get $least)))
    (local.set $columnScale (local.get $wScale))
    (local.set $columnBias (local.get $bias))
    (local.set $end (i32.add (local.get $y) (local.get $outStride)))
    (loop $eachPanel
      (local.set $row (i32.const 0))
      (local.set $scale (local.get $xScale))
      (local.set $out (local.get $y))
      (local.set $at (local.get $x))
      (loop $eachRows
        (local.set $sum00 (v128.const i32x4 0 0 0 0))
        (local.set $sum01 (v128.const i32x4 0 0 0 0))
        (local.set $sum10 (v128.const i32x4 0 0 0 0))
        (local.set $sum11 (v128.const i32x4 0 0 0 0))
        (local.set $sum20 (v128.const i32x4 0 0 0 0))
        (local.set $sum21 (v128.const i32x4 0 0 0 0))
        (local.set $sum30 (v128.const i32x4 0 0 0 0))
        (local.set $sum31 (v128.const i32x4 0 0 0 0))
        (local.set $panel (local.get $w))
        (local.set $last (i32.add (local.get $at) (i32.shl (local.get $inner) (i32.const 2))))
        (loop $eachPair
          (local.set $w0 (v128.load (local.get $panel)))
          (local.set $w1 (v128.load offset=16 (local.get $panel)))
          (local.set $left (v128.load32_splat (local.get $at)))
          (local.set $sum00 (i32x4.add (local.get $sum00) (i32x4.dot_i16x8_s (local.get $left) (local.get $w0))))
          (local.set $sum01 (i32x4.add (local.get $sum01) (i32x4.dot_i16x8_s (local.get $left) (local.get $w1))))
          (local.set $left (v128.load32_splat offset=4 (local.get $at)))
          (local.set $sum10 (i32x4.add (local.get $sum10) (i32x4.dot_i16x8_s (local.get $left) (local.get $w0))))
          (local.set $sum11 (i32x4.add (local.get $sum11) (i32x4.dot_i16x8_s (local.get $left) (local.get $w1))))
          (local.set $left (v128.load32_splat offset=8 (local.get $at)))
          (local.set $sum20 (i32x4.add (local.get $sum20) (i32x4.dot_i16x8_s (local.get $left) (local.get $w0))))
          (local.set $sum21 (i32x4.add (local.get $sum21) (i32x4.dot_i16x8_s (local.get $left) (local.get $w1))))
          (local.set $left (v128.load32_splat offset=12 (local.get $at)))
          (local.set $sum30 (i32x4.add (local.get $sum30) (i32x4.dot_i16x8_s (local.get $left) (local.get $w0))))
          (local.set $sum31 (i32x4.add (local.get $sum31) (i32x4.dot_i16x8_s (local.get $left) (local.get $w1))))
          (local.set $panel (i32.add (local.get $panel) (i32.const 32)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $eachPair (i32.lt_u (local.get $at) (local.get $last))))
        (local.set $left (v128.load32_splat offset=0 (local.get $scale)))
        (v128.store (local.get $out)
          (f32x4.pmax (local.get $floor)
            (f32x4.add
              (f32x4.mul
                (f32x4.convert_i32x4_s (local.get $sum00))
                (f32x4.mul (local.get $left) (v128.load (local.get $columnScale))))
              (v128.load (local.get $columnBias)))))
        (v128.store offset=16 (local.get $out)
          (f32x4.pmax (local.get $floor)
            (f32x4.add
              (f32x4.mul
                (f32x4.convert_i32x4_s (local.get $sum01))
                (f32x4.mul (local.get $left) (v128.load offset=16 (local.get $columnScale))))
              (v128.load offset=16 (local.get $columnBias)))))
        (local.set $out (i32.add (local.get $out) (local.get $outStride)))
        (local.set $left (v128.load32_splat offset=4 (local.get $scale)))
        (v128.store (local.get $out)
          (f32x4.pmax (local.get $floor)
            (f32x4.add
              (f32x4.mul
                (f32x4.convert_i32x4_s (local.get $sum10))
                (f32x4.mul (local.get $left) (v128.load (local.get $columnScale))))
              (v128.load (local.get $columnBias)))))
        (v128.store offset=16 (local.get $out)
          (f32x4.pmax (local.get $floor)
            (f32x4.add
              (f32x4.mul
                (f32x4.convert_i32x4_s (local.get $sum11))
                (f32x4.mul (local.get $left) (v128.load offset=16 (local.get $columnScale))))
              (v128.load offset=16 (local.get $columnBias)))))
        (local.set $out (i32.add (local.get $out) (local.get $outStride)))
        (local.set $left (v128.load32_splat offset=8 (local.get $scale)))
        (v128.store (local.get $out)
          (f32x4.pmax (local.get $floor)
            (f32x4.add
              (f32x4.mul
                (f32x4.convert_i32x4_s (local.get $sum20))
                (f32x4.mul (local.get $left) (v128.load (local.get $columnScale))))
              (v128.load (local.get $columnBias)))))
        (v128.store offset=16 (local.get $out)
          (f32x4.pmax (local.get $floor)
            (f32x4.add
              (f32x4.mul
                (f32x4.convert_i32x4_s (local.get $sum21))
                (f32x4.mul (local.get $left) (v128.load offset=16 (local.get $columnScale))))
              (v128.load offset=16 (local.get $columnBias)))))
        (local.set $out (i32.add (local.get $out) (local.get $outStride)))
        (local.set $left (v128.load32_splat offset=12 (local.get $scale)))
        (v128.store (local.get $out)
          (f32x4.pmax (local.get $floor)
            (f32x4.add
              (f32x4.mul
                (f32x4.convert_i32x4_s (local.get $sum30))
                (f32x4.mul (local.get $left) (v128.load (local.get $columnScale))))
              (v128.load (local.get $columnBias)))))
        (v128.store offset=16 (local.get $out)
          (f32x4.pmax (local.get $floor)
            (f32x4.add
              (f32x4.mul
                (f32x4.convert_i32x4_s (local.get $sum31))
                (f32x4.mul (local.get $left) (v128.load offset=16 (local.get $columnScale))))
              (v128.load offset=16 (local.get $columnBias)))))
        (local.set $out (i32.add (local.get $out) (local.get $outStride)))
        (local.set $scale (i32.add (local.get $scale) (i32.const 16)))
        (local.set $row (i32.add (local.get $row) (i32.const 4)))
        (br_if $eachRows (i32.lt_u (local.get $row) (local.get $rows))))
      (local.set $w (i32.add (local.get $w) (i32.shl (local.get $inner) (i32.const 3))))
      (local.set $columnScale (i32.add (local.get $columnScale) (i32.const 32)))
      (local.set $columnBias (i32.add (local.get $columnBias) (i32.const 32)))
      (local.set $y (i32.add (local.get $y) (i32.const 32)))
      (br_if $eachPanel (i32.lt_u (local.get $y) (local.get $end)))))

  ;; The same for rows of which only the pairs that are not zero are listed: two int16 and the place of the pair in a panel, 8 bytes
  ;; together. The list of each row begins with its own length in bytes, also 8 bytes, and has room for all pairs.
  (func (export "multiplyListed")
    (param $x i32) (param $xScale i32) (param $w i32) (param $wScale i32) (param $bias i32) (param $y i32)
    (param $rows i32) (param $inner i32) (param $columns i32) (param $least f32)
    (local $end i32) (local $row i32) (local $scale i32) (local $columnScale i32) (local $columnBias i32)
    (local $at i32) (local $panel i32) (local $last i32) (local $out i32) (local $outStride i32)
    (local $floor v128) (local $left v128)
    (local $sum00 v128) (local $sum01 v128) (local $list i32) (local $listStride i32)
    (local.set $listStride (i32.add (i32.shl (local.get $inner) (i32.const 1)) (i32.const 8)))
    (local.set $outStride (i32.shl (local.get $columns) (i32.const 2)))
    (local.set $floor (f32x4.splat (local.get $least)))
    (local.set $columnScale (local.get $wScale))
    (local.set $columnBias (local.get $bias))
    (local.set $end (i32.add (local.get $y) (local.get $outStride)))
    (loop $eachPanel
      (local.set $row (i32.const 0))
      (local.set $scale (local.get $xScale))
      (local.set $out (local.get $y))
      (local.set $list (local.get $x))
      (loop $eachRow
        (local.set $sum00 (v128.const i32x4 0 0 0 0))
        (local.set $sum01 (v128.const i32x4 0 0 0 0))
        (local.set $at (i32.add (local.get $list) (i32.const 8)))
        (local.set $last (i32.add (local.get $at) (i32.load (local.get $list))))
        (block $none
          (br_if $none (i32.eq (local.get $at) (local.get $last)))
          (loop $eachPair
            (local.set $left (v128.load32_splat (local.get $at)))
            (local.set $panel (i32.add (local.get $w) (i32.load offset=4 (local.get $at))))
            (local.set $sum00 (i32x4.add (local.get $sum00) (i32x4.dot_i16x8_s (local.get $left) (v128.load (local.get $panel)))))
            (local.set $sum01 (i32x4.add (local.get $sum01) (i32x4.dot_i16x8_s (local.get $left) (v128.load offset=16 (local.get $panel)))))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br_if $eachPair (i32.lt_u (local.get $at) (local.get $last)))))
        (local.set $left (v128.load32_splat offset=0 (local.get $scale)))
        (v128.store (local.get $out)
          (f32x4.pmax (local.get $floor)
            (f32x4.add
              (f32x4.mul
                (f32x4.convert_i32x4_s (local.get $sum00))
                (f32x4.mul (local.get $left) (v128.load (local.get $columnScale))))
              (v128.load (local.get $columnBias)))))
        (v128.store offset=16 (local.get $out)
          (f32x4.pmax (local.get $floor)
            (f32x4.add
              (f32x4.mul
                (f32x4.convert_i32x4_s (local.get $sum01))
                (f32x4.mul (local.get $left) (v128.load offset=16 (local.get $columnScale))))
              (v128.load offset=16 (local.get $columnBias)))))
        (local.set $out (i32.add (local.get $out) (local.get $outStride)))
        (local.set $list (i32.add (local.get $list) (local.get $listStride)))
        (local.set $scale (i32.add (local.get $scale) (i32.const 4)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br_if $eachRow (i32.lt_u (local.get $row) (local.get $rows))))
      (local.set $w (i32.add (local.get $w) (i32.shl (local.get $inner) (i32.const 3))))
      (local.set $columnScale (i32.add (local.get $columnScale) (i32.const 32)))
      (local.set $columnBias (i32.add (local.get $columnBias) (i32.const 32)))
      (local.set $y (i32.add (local.get $y) (i32.const 32)))
      (br_if $eachPanel (i32.lt_u (local.get $y) (local.get $end)))))

  ;; One row of float32 rounded to int16 of at most 1023: pair by pair, with `stride` bytes from pair to pair. Gives the scale. inner is
  ;; in bytes of int16. Adding and taking away 1.5 * 2^23 rounds to the nearest whole number.
  (func (export "round") (param $x i32) (param $to i32) (param $inner i32) (param $stride i32) (result f32)
    (local $at i32) (local $end i32) (local $most v128) (local $factor v128) (local $top f32)
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $inner) (i32.const 1))))
    (local.set $at (local.get $x))
    (loop $eachFour
      (local.set $most (f32x4.pmax (local.get $most) (f32x4.abs (v128.load (local.get $at)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $eachFour (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $top
      (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
        (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))
    (if (f32.gt (local.get $top) (f32.const 0))
      (then (local.set $factor (f32x4.splat (f32.div (f32.const 1023) (local.get $top))))))
    (local.set $at (local.get $x))
    (loop $eachFour
      (local.set $most
        (i32x4.sub
          (f32x4.add (f32x4.mul (v128.load (local.get $at)) (local.get $factor)) (v128.const f32x4 12582912 12582912 12582912 12582912))
          (v128.const i32x4 0x4b400000 0x4b400000 0x4b400000 0x4b400000)))
      (local.set $most (i16x8.narrow_i32x4_s (local.get $most) (local.get $most)))
      (i32.store (local.get $to) (i32x4.extract_lane 0 (local.get $most)))
      (local.set $to (i32.add (local.get $to) (local.get $stride)))
      (i32.store (local.get $to) (i32x4.extract_lane 1 (local.get $most)))
      (local.set $to (i32.add (local.get $to) (local.get $stride)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $eachFour (i32.lt_u (local.get $at) (local.get $end))))
    (f32.div (local.get $top) (f32.const 1023)))

  ;; The list of the pairs of one row that are not zero, for multiplyListed.
  (func (export "list") (param $x i32) (param $to i32) (param $inner i32)
    (local $at i32) (local $place i32) (local $pair i32) (local $end i32)
    (local.set $at (i32.add (local.get $to) (i32.const 8)))
    (local.set $end (i32.add (local.get $x) (local.get $inner)))
    (loop $eachPair
      (local.set $pair (i32.load (local.get $x)))
      (i32.store (local.get $at) (local.get $pair))
      (i32.store offset=4 (local.get $at) (local.get $place))
      (local.set $at (i32.add (local.get $at) (i32.shl (i32.ne (local.get $pair) (i32.const 0)) (i32.const 3))))
      (local.set $place (i32.add (local.get $place) (i32.const 32)))
      (local.set $x (i32.add (local.get $x) (i32.const 4)))
      (br_if $eachPair (i32.lt_u (local.get $x) (local.get $end))))
    (i32.store (local.get $to) (i32.sub (i32.sub (local.get $at) (local.get $to)) (i32.const 8))))

  ;; to[length] += from[length], all float32; the length in bytes, a multiple of 16.
  (func (export "add") (param $to i32) (param $from i32) (param $length i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    (loop $eachFour
      (v128.store (local.get $to) (f32x4.add (v128.load (local.get $to)) (v128.load (local.get $from))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $eachFour (i32.lt_u (local.get $to) (local.get $end)))))

  ;; One row of `width` bytes with mean 0 and spread 1, times scale plus bias, all float32.
  (func (export "normalize") (param $x i32) (param $to i32) (param $width i32) (param $scale i32) (param $bias i32)
    (local $at i32) (local $end i32) (local $sum v128) (local $mean v128) (local $value v128) (local $factor v128)
    (local.set $end (i32.add (local.get $x) (local.get $width)))
    (local.set $at (local.get $x))
    (loop $eachFour
      (local.set $sum (f32x4.add (local.get $sum) (v128.load (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $eachFour (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $mean (f32x4.splat (f32.div (call $total (local.get $sum)) (f32.convert_i32_u (i32.shr_u (local.get $width) (i32.const 2))))))
    (local.set $sum (v128.const i32x4 0 0 0 0))
    (local.set $at (local.get $x))
    (loop $eachFour
      (local.set $value (f32x4.sub (v128.load (local.get $at)) (local.get $mean)))
      (local.set $sum (f32x4.add (local.get $sum) (f32x4.mul (local.get $value) (local.get $value))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $eachFour (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $factor
      (f32x4.splat
        (f32.div
          (f32.const 1)
          (f32.sqrt
            (f32.add
              (f32.div (call $total (local.get $sum)) (f32.convert_i32_u (i32.shr_u (local.get $width) (i32.const 2))))
              (f32.const 1e-6))))))
    (loop $eachFour
      (v128.store (local.get $to)
        (f32x4.add
          (f32x4.mul
            (f32x4.mul (f32x4.sub (v128.load (local.get $x)) (local.get $mean)) (local.get $factor))
            (v128.load (local.get $scale)))
          (v128.load (local.get $bias))))
      (local.set $x (i32.add (local.get $x) (i32.const 16)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $scale (i32.add (local.get $scale) (i32.const 16)))
      (local.set $bias (i32.add (local.get $bias) (i32.const 16)))
      (br_if $eachFour (i32.lt_u (local.get $x) (local.get $end)))))

  (func $total (param $lanes v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $lanes)) (f32x4.extract_lane 1 (local.get $lanes)))
      (f32.add (f32x4.extract_lane 2 (local.get $lanes)) (f32x4.extract_lane 3 (local.get $lanes))))))
